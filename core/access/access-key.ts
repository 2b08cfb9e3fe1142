import type { Access } from '../contract/access.ts'
import { STARTED_AT } from './session-variables.ts'

/** Says what is denied with which words, compares with which values, and sets what: equal for those who see the same. */
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
  // When it began says nothing of who sees what, and nobody would share.
  for (const { name, value } of settings) if (name !== STARTED_AT) key += `=${write([name, value])}`
  return key
}

let unlike = 0

/** Details are anything; what cannot be written is like nothing else. */
function writeDetails(details: unknown): string {
  try {
    return JSON.stringify(details) ?? ''
  } catch {
    unlike += 1
    return `#${unlike}`
  }
}

/** Plain data, injective. */
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
