import { ExactNumber, withoutZeros } from '../base/util/exact-number.ts'

/** Parsers of the scalars that remain text: ID, String, UUID. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const SHOWN_CHARACTERS = 100

/** Formats a value that was rejected, for an error message: as JSON of at most 100 characters. */
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

/**
 * Returns the text if PostgreSQL can store it. Rejected are U+0000, which PostgreSQL cannot store, and unpaired
 * surrogates, which would silently become U+FFFD.
 * @param scalar name of the scalar, for the message
 * @throws Error if it cannot
 */
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

/** Checks a UUID from a client, and returns it in lower case. @throws Error if the value is no UUID */
export function parseUuid(value: unknown): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase()
  throw new Error(`UUID must look like "3b241101-e2bb-4255-8caf-4136c566a962", not ${showValue(value)}`)
}
