import { randomUUID } from 'node:crypto'
import type { Access, Denial, MaskTransform } from '../../contract/access.ts'
import { STARTED_AT } from './session-variables.ts'

/**
 * The restrictions of a caller for one run of an operation. Runs with the same denial set and no other restrictions
 * share one object. The cache key is computed when it is first read.
 */
export class CollectedAccess implements Access {
  readonly denied: Access['denied']
  readonly conditions: Access['conditions']
  readonly values: Access['values']
  readonly settings: Access['settings']
  readonly variant: string
  #key: string | null = null

  constructor({ denied, conditions, values, settings, variant }: Omit<Access, 'key'>) {
    this.denied = denied
    this.conditions = conditions
    this.values = values
    this.settings = settings
    this.variant = variant
    Object.freeze(this)
  }

  get key(): string {
    this.#key ??= accessKey(this)
    return this.#key
  }
}

/**
 * Computes `Access.variant`, which is equal for all callers for whom the same SQL is correct.
 * @param shapes conditions without their values, by denied field or by type
 */
export function variantOf(denied: ReadonlyMap<string, Denial>, shapes: ReadonlyMap<string, readonly string[]>): string {
  let variant = ''
  for (const target of [...denied.keys()].sort()) {
    const { reject, unless, masks } = denied.get(target)!
    const masked = masks === undefined ? '' : `*${masks.map(maskId).join()}*`
    variant += `-${reject ? '!' : ''}${unless === true ? '?' : ''}${masked}${target}`
  }
  for (const type of [...shapes.keys()].sort()) variant += `&${type}(${shapes.get(type)!.join(',')})`
  return variant
}

/** Returns `Access.key`: the variant, the denials with their errors, the values of conditions, and the session variables. */
function accessKey({
  variant,
  denied,
  values,
  settings,
}: Pick<Access, 'variant' | 'denied' | 'values' | 'settings'>): string {
  let key = variant
  for (const target of [...denied.keys()].sort()) {
    const { error, reject, unless } = denied.get(target)!
    key += `!${writeValue([target, reject, unless === true, error.code, error.message, error.status, writeDetails(error.details)])}`
  }
  for (const type of Object.keys(values).sort()) key += `?${writeValue([type, values[type]])}`
  // The start time differs for every request and does not affect the view of the caller.
  for (const { name, value } of settings) if (name !== STARTED_AT) key += `=${writeValue([name, value])}`
  return key
}

let unlike = 0

/** Writes the details of an error. Details that are not serialisable get a unique text, so that no two keys are equal. */
function writeDetails(details: unknown): string {
  try {
    return JSON.stringify(details) ?? ''
  } catch {
    unlike += 1
    return `#${unlike}`
  }
}

/** Writes plain data as text. Different values have different texts. */
function writeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'object':
      break
    default:
      return String(value)
  }
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(writeValue).join()}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${writeValue(item)}`)
    .join()}}`
}

const maskIds = new WeakMap<MaskTransform, string>()
/** Ids are unique per process, because functions of different processes cannot be compared. */
const PROCESS = randomUUID()
let lastMask = 0

/** Returns a stable id of a transform, for the keys of plans and cached answers. */
function maskId(transform: MaskTransform): string {
  let id = maskIds.get(transform)
  if (id === undefined) {
    lastMask += 1
    id = `${PROCESS}.${lastMask}`
    maskIds.set(transform, id)
  }
  return id
}
