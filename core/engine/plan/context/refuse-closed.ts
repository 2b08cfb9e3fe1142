import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Denial } from '../../../contract/access.ts'
import type { FieldModel, InterfaceType, NamedType, ObjectType } from '../../../schema/model.ts'
import type { PlanContext } from './plan-context.ts'

/**
 * Throws if a client filters or sorts by a field that an `authorize` hook denied, because the result would reveal the
 * values. A field of an interface is denied if it is denied in any of its types.
 * @param place path of the field in the arguments, for the error
 * @throws SvcError the error of the denial
 */
export function refuseClosed(
  context: PlanContext,
  type: ObjectType | InterfaceType,
  field: FieldModel,
  place: string,
): void {
  const { access, bound, path } = context
  if (access === null || access.denied.size === 0 || bound === 'access') return
  const objects = type.kind === 'object' ? [type] : type.members
  const targets = objects.flatMap(({ name }) => [name, `${name}.${field.wireName}`])
  const denial = firstOf(access.denied, [...targets, ...(field.guards ?? []), ...objectNames(field.named)])
  if (denial === null) return
  const { code, message, details, status, cause } = denial.error
  throw new SvcError(code, message, { status, cause, path: path.slice(0, 1), details: { ...details, argument: place } })
}

function objectNames(named: NamedType): readonly string[] {
  if (named.kind === 'object') return [named.name]
  return named.kind === 'interface' || named.kind === 'union' ? named.members.map(({ name }) => name) : []
}

function firstOf(denied: ReadonlyMap<string, Denial>, targets: readonly string[]): Denial | null {
  for (const target of targets) {
    const denial = denied.get(target)
    if (denial !== undefined) return denial
  }
  return null
}
