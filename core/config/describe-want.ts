import { isSecretKey, redactText } from '../base/util/redact-text.ts'
import type { SchemaNode } from './assemble-schema.ts'
import { typesOf } from './coerce-text.ts'
import { isTable, type KeyPath } from './key-path.ts'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a table',
  null: 'nothing',
}

/**
 * Describes the valid values of a configuration key: `a whole number from 0 to 65535`. It completes an error message
 * after the word "wants".
 */
export function describeWant(schema: SchemaNode | undefined): string {
  if (schema === undefined) return 'a value'
  const { enum: values, items, format, pattern, oneOf, anyOf } = schema
  if (Array.isArray(values)) return values.length === 1 ? print(values[0]) : `one of ${values.map(print).join(', ')}`
  if ('const' in schema) return print(schema.const)
  if ((oneOf !== undefined || anyOf !== undefined) && typeof schema.description === 'string') return schema.description
  const types = typesOf(schema)
  if (types.length === 0) return 'a value'
  const kinds = types.map((type) => (type === 'array' ? describeArray(items as SchemaNode | undefined) : KINDS[type]))
  const what = kinds.join(' or ') + describeRange(schema)
  if (typeof format === 'string') return `${what} that is a valid ${format}`
  return typeof pattern === 'string' ? `${what} that matches ${pattern}` : what
}

function describeArray(items: SchemaNode | undefined): string {
  const [kind] = typesOf(items)
  const plural = { string: 'texts', integer: 'whole numbers', number: 'numbers', object: 'tables' }[kind ?? '']
  if (Array.isArray(items?.enum)) return `an array of ${items.enum.map(print).join(', ')}`
  return plural === undefined ? 'an array' : `an array of ${plural}`
}

function describeRange(schema: SchemaNode): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, exclusiveMinimum } = schema
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`
  if (maximum !== undefined) return ` of at most ${maximum}`
  if (minLength === 1 && maxLength === undefined) return ' that is not empty'
  if (minLength !== undefined) return ` of at least ${minLength} characters`
  if (maxLength !== undefined) return ` of at most ${maxLength} characters`
  if (minItems !== undefined) return ` with at least ${minItems} entries`
  return maxItems === undefined ? '' : ` with at most ${maxItems} entries`
}

const print = (value: unknown): string => JSON.stringify(value)

/**
 * Describes the actual value of a configuration key: `the text "80a"`, `a table`. It completes an error message after
 * the word "got". The value of a secret key is not shown.
 */
export function describeValue(value: unknown, schema: SchemaNode | undefined, path: KeyPath): string {
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date) return 'a date'
  if (isTable(value)) return 'a table'
  const secret = schema?.writeOnly === true || path.some((part) => typeof part === 'string' && isSecretKey(part))
  if (typeof value !== 'string') return secret ? `a ${typeof value}` : `${value}`
  if (secret) return `a text of ${value.length} characters`
  const shown = redactText(value)
  return `the text ${print(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown)}`
}
