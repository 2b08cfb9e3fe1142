import type { Denial } from '../contract/access.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { ObjectType, SchemaModel } from '../schema/model.ts'
import { invalid } from './invalid.ts'
import { deniedTargets } from './targets.ts'

/**
 * Adds what a hook denies to what is denied: the first error of a target stays, `reject` wins.
 * @throws SvcError SVC_ACCESS_INVALID
 */
export function addDenial(
  denied: Map<string, Denial>,
  schema: SchemaModel,
  target: string,
  error: SvcError | undefined,
  onDeny: string = 'mask',
): void {
  const targets = deniedTargets(schema, target)
  if (error !== undefined && !(error instanceof SvcError)) {
    throw invalid(`access.deny("${target}"): the error is no SvcError. Make one: new SvcError('FORBIDDEN', '…').`)
  }
  if (onDeny !== 'mask' && onDeny !== 'reject') {
    throw invalid(`access.deny("${target}"): onDeny is "mask" or "reject", not ${JSON.stringify(onDeny)}.`)
  }
  for (const each of targets) {
    const own = error ?? new SvcError('FORBIDDEN', `You may not see ${each}.`)
    joinDenial(denied, { target: each, error: own, reject: onDeny === 'reject' })
  }
}

/** Whoever denies without an exception has the last word. */
export function joinDenial(denied: Map<string, Denial>, denial: Denial): void {
  const { target } = denial
  const before = denied.get(target)
  if (before === undefined || (before.unless === true && denial.unless !== true)) denied.set(target, denial)
  else if (before.unless === true || denial.unless !== true) {
    denied.set(target, { ...before, reject: before.reject || denial.reject })
  }
}

/**
 * The fields of a denial that leaves some rows their value, each of its own type.
 * @throws SvcError SVC_ACCESS_INVALID: it cannot be null in some rows
 */
export function exceptedFields(
  schema: SchemaModel,
  target: string,
): readonly { readonly target: string; readonly type: ObjectType }[] {
  return deniedTargets(schema, target).map((each) => {
    const [typeName = '', fieldName] = each.split('.')
    const type = schema.types.get(typeName)
    const field = type?.kind === 'object' && fieldName !== undefined ? type.fields.get(fieldName) : undefined
    const call = `access.deny("${each}", …, { unless })`
    if (type?.kind !== 'object' || field === undefined) {
      throw invalid(`${call}: a type has no value to keep. Hide its rows: access.where("${typeName}", …).`)
    }
    if (field.named.kind !== 'scalar' && field.named.kind !== 'enum') {
      throw invalid(
        `${call}: only the value of a scalar or enum can be hidden row by row. Hide the rows: access.where("${field.named.name}", …).`,
      )
    }
    if (!field.type.nullable) {
      throw invalid(`${call}: ${each} may not be null, so that no row can do without it. Declare it nullable.`)
    }
    return { target: each, type }
  })
}
