import { ExactNumber, withoutZeros } from '../base/util/exact-number.ts'

/** Parsers of the scalars that remain text: ID, String, UUID. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const SHOWN_CHARACTERS = 100

/** Formats a rejected value for a message: JSON, truncated if long. */
export function showValue(value: unknown): string {
  const text = toJson(typeof value === 'string' ? value.slice(0, SHOWN_CHARACTERS * 2) : value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}

function toJson(value: unknown): string {
  if (value instanceof ExactNumber) return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // A BigInt, or a document that is too deep to serialize.
    return typeof value === 'bigint' ? String(value) : '…'
  }
}

/** Rejects U+0000 and unpaired surrogates. PostgreSQL cannot store the first, and the second would silently become U+FFFD. @throws Error */
export function storable(scalar: string, value: string): string {
  if (value.includes('\u0000')) throw new Error(`${scalar} cannot hold the character U+0000`)
  if (!value.isWellFormed()) throw new Error(`${scalar} cannot hold half of a surrogate pair`)
  return value
}

export function parseString(value: unknown): string {
  if (typeof value === 'string') return storable('String', value)
  throw new Error(`String cannot represent a non string value: ${showValue(value)}`)
}

export function parseId(given: unknown): string {
  const value = withoutZeros(given)
  if (typeof value === 'string') return storable('ID', value)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (value instanceof ExactNumber && /^-?\d{1,1000}$/.test(String(value))) return String(value)
  throw new Error(`ID cannot represent value: ${showValue(value)}`)
}

/** Returns the canonical text in lower case. */
export function parseUuid(value: unknown): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase()
  throw new Error(`UUID must look like "3b241101-e2bb-4255-8caf-4136c566a962", not ${showValue(value)}`)
}
