import type { Access } from '../../contract/access.ts'
import { STARTED_AT } from './session-variables.ts'

/** Returns `Access.key`: the variant, the denials with their errors, the values of conditions, and the session variables. */
export function accessKey({
  variant,
  denied,
  values,
  settings,
}: Pick<Access, 'variant' | 'denied' | 'values' | 'settings'>): string {
  let key = variant
  for (const target of [...denied.keys()].sort()) {
    const { error, reject, unless } = denied.get(target)!
    key += `!${write([target, reject, unless === true, error.code, error.message, error.status, writeDetails(error.details)])}`
  }
  for (const type of Object.keys(values).sort()) key += `?${write([type, values[type]])}`
  // The start time differs for every request and does not affect the view of the caller.
  for (const { name, value } of settings) if (name !== STARTED_AT) key += `=${write([name, value])}`
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
function write(value: unknown): string {
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
  if (Array.isArray(value)) return `[${value.map(write).join()}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`)
    .join()}}`
}
