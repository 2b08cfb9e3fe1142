import { SvcError } from '../../base/errors/svc-error.ts'
import type { Denial, MaskTransform } from '../../contract/access.ts'
import type { FieldModel, ObjectType, SchemaModel } from '../../schema/model.ts'
import { invalid } from './invalid.ts'
import { deniedTargets } from './targets.ts'

/**
 * Checks the arguments of `access.deny` and adds the denial to `denied`. If a type or field is denied twice, the first
 * error counts, and `reject` takes precedence over `mask`.
 * @param denied denials by target; the function changes the map
 * @param target type or field: `User`, `User.email`
 * @param error error for clients; `undefined`: FORBIDDEN
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

/**
 * Checks the arguments of `access.mask` and adds the mask to `denied`.
 * @param denied denials by target; the function changes the map
 * @param target field whose values are masked: `User.email`
 * @param error error where a mask is not possible, such as in filters; `undefined`: FORBIDDEN
 * @throws SvcError SVC_ACCESS_INVALID
 */
export function addMask(
  denied: Map<string, Denial>,
  schema: SchemaModel,
  target: string,
  transform: MaskTransform,
  error: SvcError | undefined,
): void {
  const call = `access.mask("${String(target)}")`
  if (typeof transform !== 'function') {
    throw invalid(`${call}: the transform is a function of the value, not a ${typeof transform}.`)
  }
  const own = new Map<string, Denial>()
  addDenial(
    own,
    schema,
    target,
    error ?? new SvcError('FORBIDDEN', `${String(target)} is masked: its values are closed.`),
  )
  for (const denial of own.values()) {
    const { named } = leafOf(schema, denial.target, call)
    if (named.kind !== 'scalar' && named.kind !== 'enum') {
      throw invalid(
        `${call}: only a scalar or enum has a value to mask. Deny the field: access.deny("${denial.target}").`,
      )
    }
    joinDenial(denied, { ...denial, masks: [transform] })
  }
}

/**
 * Adds a denial to a map, or combines it with the denial that the map has for the same target. A full denial takes
 * precedence over masks and over denials of some rows.
 * @param denied denials by target; the function changes the map
 */
export function joinDenial(denied: Map<string, Denial>, denial: Denial): void {
  const { target } = denial
  const before = denied.get(target)
  if (before === undefined || (isPartial(before) && !isPartial(denial))) denied.set(target, denial)
  else if (isPartial(before) === isPartial(denial)) denied.set(target, joined(before, denial))
}

/** Tests whether a denial hides a field only in part: some rows keep their values, or the values are masked. */
export function isPartial({ unless, masks }: Denial): boolean {
  return unless === true || masks !== undefined
}

function joined(before: Denial, { reject, unless, masks }: Denial): Denial {
  const all = [...new Set([...(before.masks ?? []), ...(masks ?? [])])]
  return {
    ...before,
    reject: before.reject || reject,
    ...(unless === true ? { unless } : {}),
    ...(all.length === 0 ? {} : { masks: all }),
  }
}

/** Returns the field of a target. @throws SvcError SVC_ACCESS_INVALID: the target is a type */
function leafOf(schema: SchemaModel, target: string, call: string): FieldModel {
  const [typeName = '', fieldName = ''] = target.split('.')
  const type = schema.types.get(typeName)
  const field = type?.kind === 'object' ? type.fields.get(fieldName) : undefined
  if (field === undefined) throw invalid(`${call}: a type has no value to mask. Name a field: "${typeName}.…".`)
  return field
}

/**
 * Returns the fields that `access.deny(target, …, { unless })` hides in some rows, one for each object type of the
 * target.
 * @throws SvcError SVC_ACCESS_INVALID: the target is a type, a field of objects, or a non-null field
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
