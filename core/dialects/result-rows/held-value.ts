import { SvcError } from '../../base/errors/svc-error.ts'
import { isObjectText, readMembers, writeMembers } from '../../engine/json/json-text.ts'

/** A value that a function gave: JSON, or a column of a row as its text. {@link NULL_VALUE} stands for SQL NULL. */
export type HeldValue =
  | { readonly from: 'json'; readonly text: string }
  /** @property type as the catalog names it; where it does not, what the database says of the value. */
  | { readonly from: 'column'; readonly text: string; readonly type: string }

/** An object that a function gave: a row, or a JSON object. */
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

/** A text as a JSON number with the digits that stand there; what is none as a JSON string, which no type lets pass. */
export function numberText(text: string): string {
  return JSON_NUMBER.test(text) ? text : JSON.stringify(text)
}

/** A text as a JSON boolean, in any spelling that a database writes; what is none as a JSON string. */
export function booleanText(text: string): string {
  if (TRUE.has(text)) return 'true'
  return FALSE.has(text) ? 'false' : JSON.stringify(text)
}

export function isJsonType(type: string): boolean {
  return type === 'json' || type === 'jsonb'
}

/**
 * A text that has to be JSON.
 * @param what stands in the error
 * @throws SvcError INTERNAL_SERVER_ERROR when it is none
 */
export function checkedJson(text: string, what: string): string {
  try {
    JSON.parse(text)
  } catch {
    throw new SvcError('INTERNAL_SERVER_ERROR', `${what} is no JSON. Nothing was written.`)
  }
  return text.trim()
}

/** Converts a value to JSON text by the type of its column, not by that of its field. */
export function jsonOf(value: HeldValue | null, what: string): string | null {
  if (value === null) return null
  if (value.from === 'json') return value.text
  if (NUMBERS.has(value.type)) return numberText(value.text)
  if (value.type === 'bool') return booleanText(value.text)
  return isJsonType(value.type) ? checkedJson(value.text, what) : JSON.stringify(value.text)
}

/** The same for a value whose place takes JSON alone: a text is the text of it. */
export function documentOf(value: HeldValue | null, what: string): string | null {
  if (value === null) return null
  return value.from === 'json' ? value.text : checkedJson(value.text, what)
}

/** The value as a text; `null` for null, objects and lists keep their JSON. */
export function textOf(value: HeldValue | null | undefined): string | null {
  if (value === null || value === undefined) return null
  if (value.from === 'column') return value.text
  if (value.text === 'null') return null
  return value.text.startsWith('"') ? (JSON.parse(value.text) as string) : value.text
}

/** The members of a JSON object; `null` when it is none. */
export function membersOf(json: string | null): HeldObject | null {
  if (json === null || !isObjectText(json)) return null
  return new Map([...readMembers(json)].map(([key, text]) => [key, { from: 'json', text } as const]))
}

/** JSON text of an object, members in their order. */
export function objectText(members: HeldObject, what: string): string {
  return writeMembers([...members].map(([key, value]) => [key, jsonOf(value, what) ?? 'null'] as const))
}
