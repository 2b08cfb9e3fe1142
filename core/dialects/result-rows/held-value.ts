import { SvcError } from '../../base/errors/svc-error.ts'
import { isObjectText, readMembers, writeMembers } from '../../engine/json/json-text.ts'

/**
 * A value that a mutation's function returned: JSON text, or the text of a column with its type. {@link NULL_VALUE}
 * represents SQL NULL.
 */
export type HeldValue =
  | { readonly from: 'json'; readonly text: string }
  /** @property type name in the catalog; without the catalog, the type that the database reports for the value */
  | { readonly from: 'column'; readonly text: string; readonly type: string }

/** An object that a mutation's function returned, by key: a row with its columns, or a JSON object with its members. */
export type HeldObject = ReadonlyMap<string, HeldValue>

export const NULL_VALUE: HeldValue = { from: 'json', text: 'null' }
export const NO_MEMBERS: HeldObject = new Map()

export function isNull({ from, text }: HeldValue): boolean {
  return from === 'json' && text === 'null'
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const NUMBERS: ReadonlySet<string> = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'])
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'true'])
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'false'])

/**
 * Returns a text that is a JSON number unchanged, without loss of digits. Any other text becomes a JSON string, which
 * the check of the response rejects for numeric types.
 */
export function numberText(text: string): string {
  return JSON_NUMBER.test(text) ? text : JSON.stringify(text)
}

/**
 * Converts the text of a database boolean (`1`, `t`, `true`, `0`, `f`, `false`) to JSON. Any other text becomes a JSON
 * string, which the check of the response rejects.
 */
export function booleanText(text: string): string {
  if (TRUE.has(text)) return 'true'
  return FALSE.has(text) ? 'false' : JSON.stringify(text)
}

export function isJsonType(type: string): boolean {
  return type === 'json' || type === 'jsonb'
}

/**
 * Returns a text without surrounding spaces after a check that it is JSON.
 * @param what description of the value, for the error
 * @throws SvcError INTERNAL_SERVER_ERROR if it is not JSON
 */
export function checkedJson(text: string, what: string): string {
  try {
    JSON.parse(text)
  } catch {
    throw new SvcError('INTERNAL_SERVER_ERROR', `${what} is no JSON. Nothing was written.`)
  }
  return text.trim()
}

/**
 * Converts a returned value to JSON text by the type of its column, whatever field it is for; `null` stays `null`.
 * @param what description of the value, for errors
 */
export function jsonOf(value: HeldValue | null, what: string): string | null {
  if (value === null) return null
  if (value.from === 'json') return value.text
  if (NUMBERS.has(value.type)) return numberText(value.text)
  if (value.type === 'bool') return booleanText(value.text)
  return isJsonType(value.type) ? checkedJson(value.text, what) : JSON.stringify(value.text)
}

/**
 * Returns the JSON text of a value that must be JSON whatever the type of its column, such as the column `entity`;
 * `null` stays `null`.
 * @param what description of the value, for errors
 * @throws SvcError INTERNAL_SERVER_ERROR if it is not JSON
 */
export function documentOf(value: HeldValue | null, what: string): string | null {
  if (value === null) return null
  return value.from === 'json' ? value.text : checkedJson(value.text, what)
}

/** Returns a value as plain text: a JSON string without quotes, objects and lists as JSON; `null` for null. */
export function textOf(value: HeldValue | null | undefined): string | null {
  if (value === null || value === undefined) return null
  if (value.from === 'column') return value.text
  if (value.text === 'null') return null
  return value.text.startsWith('"') ? (JSON.parse(value.text) as string) : value.text
}

/** Parses the top level of a JSON object to its members; `null`: the text is not a JSON object. */
export function membersOf(json: string | null): HeldObject | null {
  if (json === null || !isObjectText(json)) return null
  return new Map([...readMembers(json)].map(([key, text]) => [key, { from: 'json', text } as const]))
}

/**
 * Writes an object as JSON text, with its members in their order.
 * @param what description of the object, for errors
 */
export function objectText(members: HeldObject, what: string): string {
  return writeMembers([...members].map(([key, value]) => [key, jsonOf(value, what) ?? 'null'] as const))
}
