import { SvcError } from '../../base/errors/svc-error.ts'
import { isObjectText, readMembers, writeMembers } from '../../engine/json/json-text.ts'

/** A value in the result of a function: JSON, or a column of a row as text. {@link NULL_VALUE} stands for SQL NULL. */
export type HeldValue =
  | { readonly from: 'json'; readonly text: string }
  /** @property type name in the catalog; without the catalog, the type that the database reports for the value */
  | { readonly from: 'column'; readonly text: string; readonly type: string }

/** An object in the result of a function: a row, or a JSON object. */
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

/** Converts a text to a JSON number with the same digits. Any other text becomes a JSON string, which no numeric type accepts. */
export function numberText(text: string): string {
  return JSON_NUMBER.test(text) ? text : JSON.stringify(text)
}

/** Converts a text to a JSON boolean, in any spelling of a database. Any other text becomes a JSON string. */
export function booleanText(text: string): string {
  if (TRUE.has(text)) return 'true'
  return FALSE.has(text) ? 'false' : JSON.stringify(text)
}

export function isJsonType(type: string): boolean {
  return type === 'json' || type === 'jsonb'
}

/**
 * Checks a text that must be JSON.
 * @param what description of the value, for the error
 * @throws SvcError INTERNAL_SERVER_ERROR when it is not JSON
 */
export function checkedJson(text: string, what: string): string {
  try {
    JSON.parse(text)
  } catch {
    throw new SvcError('INTERNAL_SERVER_ERROR', `${what} is no JSON. Nothing was written.`)
  }
  return text.trim()
}

/** Converts a value to JSON text by the type of its column. The type of its field is not used. */
export function jsonOf(value: HeldValue | null, what: string): string | null {
  if (value === null) return null
  if (value.from === 'json') return value.text
  if (NUMBERS.has(value.type)) return numberText(value.text)
  if (value.type === 'bool') return booleanText(value.text)
  return isJsonType(value.type) ? checkedJson(value.text, what) : JSON.stringify(value.text)
}

/** Converts a value to JSON for a position that only accepts JSON: a text is parsed as JSON. */
export function documentOf(value: HeldValue | null, what: string): string | null {
  if (value === null) return null
  return value.from === 'json' ? value.text : checkedJson(value.text, what)
}

/** Returns the value as text; `null` for null. Objects and lists keep their JSON. */
export function textOf(value: HeldValue | null | undefined): string | null {
  if (value === null || value === undefined) return null
  if (value.from === 'column') return value.text
  if (value.text === 'null') return null
  return value.text.startsWith('"') ? (JSON.parse(value.text) as string) : value.text
}

/** Returns the members of a JSON object; `null` for any other JSON. */
export function membersOf(json: string | null): HeldObject | null {
  if (json === null || !isObjectText(json)) return null
  return new Map([...readMembers(json)].map(([key, text]) => [key, { from: 'json', text } as const]))
}

/** Writes an object as JSON text, with the members in their order. */
export function objectText(members: HeldObject, what: string): string {
  return writeMembers([...members].map(([key, value]) => [key, jsonOf(value, what) ?? 'null'] as const))
}
