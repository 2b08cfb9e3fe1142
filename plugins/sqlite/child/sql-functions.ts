import { createHash, randomUUID } from 'node:crypto'
import { decimalKey } from './decimal-key.ts'
import { exactly } from './exact-sum.ts'
import { containsJson, hasKey, hasKeys, isEqualJson, jsonKey } from './json-match.ts'
import type { Library } from './library.ts'
import type { Value } from './protocol.ts'
import { readDate, readDateTime, readTime } from './read-time.ts'
import { matchesLike, matchesRegex, matchesSearch } from './text-match.ts'
import { isNear, type Part, textPart } from './text-part.ts'

/** State that svc's SQL functions share with the statement that calls them. */
export interface FunctionState {
  /** Code and message of the last call of `svc_raise`, because SQLite only reports a text; `null`: none. */
  raised: { readonly code: string; readonly message: string } | null
  settings: ReadonlyMap<string, string>
}

/** Defines svc's SQL functions on a SQLite connection, such as `svc_setting` and `svc_raise`. */
export function defineFunctions(library: Library, state: FunctionState): void {
  library.define(
    'svc_raise',
    (code: Value, message: Value) => {
      state.raised = { code: String(code), message: String(message) }
      throw new Error(state.raised.message)
    },
    false,
  )
  library.define('svc_setting', (name: Value) => state.settings.get(String(name)) ?? null, false)
  library.define('svc_uuid', () => randomUUID(), false)
  defineDialectFunctions(library)
}

/** Defines the functions that statements of the dialect call. Each returns NULL for NULL. */
function defineDialectFunctions(library: Library): void {
  const text = (name: string, read: (text: string) => string): void =>
    library.define(name, (value: Value) => (value === null ? null : read(String(value))), true)
  const test = (name: string, holds: (a: string, b: string) => boolean | null): void =>
    library.define(
      name,
      (a: Value, b: Value) => (a === null || b === null ? null : bit(holds(String(a), String(b)))),
      true,
    )

  library.define('svc_known', (kind: Value, value: Value) => knownForm(String(kind), value), true)
  library.define('svc_cursor', (kind: Value, value: Value) => readForm(String(kind), value, 'svc:cursor'), true)
  library.define('svc_operand', (kind: Value, value: Value) => readForm(String(kind), value, 'svc:operand'), true)
  library.define('svc_held', (kind: Value, value: Value) => heldTime(String(kind), value), true)
  library.define('svc_exact', (kind: Value, json: Value) => exactly(String(kind), String(json)), true)
  text('svc_uuid_text', uuidText)
  text('svc_base64', (value) => Buffer.from(value, 'utf8').toString('base64'))
  text('svc_digest', (value) => createHash('md5').update(value).digest('hex'))
  library.define('svc_number', numberText, true)
  test('regexp', (pattern, value) => matchesRegex(pattern, value))
  test('svc_regexp', (pattern, value) => matchesSearch(pattern, value, false))
  test('svc_iregexp', (pattern, value) => matchesSearch(pattern, value, true))
  library.define(
    'svc_like',
    (value: Value, pattern: Value, anyCase: Value) =>
      value === null || pattern === null
        ? null
        : bit(matchesLike(String(pattern), String(value), Number(anyCase) === 1)),
    true,
  )
  library.define(
    'svc_part',
    (value: Value, part: Value) => (value === null ? null : textPart(String(value), String(part) as Part)),
    true,
  )
  test('svc_near', isNear)
  text('svc_json_key', jsonKey)
  test('svc_json_equal', isEqualJson)
  test('svc_json_contains', containsJson)
  test('svc_json_has_key', hasKey)
  test('svc_json_has_any', (json, keys) => hasKeys(json, keys, false))
  test('svc_json_has_all', (json, keys) => hasKeys(json, keys, true))
  library.define(
    'svc_fail',
    (message: Value) => {
      throw new Error(String(message))
    },
    false,
  )
}

const READERS: Readonly<Record<string, (text: string) => string | bigint>> = {
  decimal: decimalKey,
  integer: readInteger,
  datetime: readDateTime,
  date: readDate,
  time: readTime,
  uuid: readUuid,
}

/**
 * Converts a stored value to the form in which values of a kind are compared. Any value can be in a column or a document: one that is
 * not of the kind is NULL.
 */
function knownForm(kind: string, value: Value): Value {
  if (value === null) return null
  try {
    return READERS[kind]!(String(value))
  } catch {
    return null
  }
}

/** Normalizes a value from a client: a part of a cursor, or an operand. @param fault text of the error, which the dialect recognizes */
function readForm(kind: string, value: Value, fault: string): Value {
  if (value === null) return null
  try {
    return READERS[kind]!(String(value))
  } catch {
    throw new Error(fault)
  }
}

/** Converts a stored time to its wire form. Another text becomes a form that no time has, so that the response refuses it. */
function heldTime(kind: string, value: Value): Value {
  if (value === null) return null
  try {
    return READERS[kind]!(String(value))
  } catch {
    return `?${String(value)}`
  }
}

function bit(holds: boolean | null): Value {
  if (holds === null) return null
  return holds ? 1n : 0n
}

const MOST_INTEGER = 9223372036854775807n

/** Reads the text of an integer of 64 bits. @throws Error */
function readInteger(text: string): bigint {
  const digits = /^([+-]?\d{1,30})(?:\.0+)?$/.exec(text)?.[1]
  const value = digits === undefined ? null : BigInt(digits)
  if (value === null || value > MOST_INTEGER || value < -MOST_INTEGER - 1n) throw new Error('no integer')
  return value
}

/** Reads the text of a UUID, in the forms that PostgreSQL accepts. @throws Error */
function readUuid(text: string): string {
  if (!/^(?:(?:[\da-f]{4}-?){7}[\da-f]{4}|\{(?:[\da-f]{4}-?){7}[\da-f]{4}\})$/i.test(text)) throw new Error('no UUID')
  return uuidText(text.replace(/[{}]/g, ''))
}

/** Canonical text of a UUID: lower case, with dashes. */
function uuidText(text: string): string {
  const digits = text.replaceAll('-', '').toLowerCase()
  return digits.length === 32
    ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : text.toLowerCase()
}

/** A number as JSON, with all digits that are needed to read it back. Other values become JSON strings. */
function numberText(value: Value): Value {
  if (value === null) return null
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
  return isNumber ? String(value) : JSON.stringify(String(value))
}
