import { createHash } from 'node:crypto'
import { decodeBase64 } from './node-id.ts'

/**
 * The content of cursors, which are base64 of UTF-8. For pages in the order of the key: the text of the key, or with a
 * tie a JSON array of both texts. For pages in an order that the client requested: a JSON array of two marks (of that
 * order and of the filter), then the text of each sort key, or null if the row has no value; the key comes last.
 */

/**
 * Decodes a cursor of a connection that is sorted by its key.
 * @param raw the cursor of the client
 * @param count number of columns in the key: 1 or 2
 * @returns the text of each column; a text may be empty
 * @throws Error for any other cursor
 */
export function readKeyCursor(raw: unknown, count: number): readonly string[] {
  const decoded = raw === '' ? '' : decode(raw)
  if (decoded === null) throw new Error('this is no cursor')
  if (SORTED.test(decoded)) throw new Error(`${OTHER_ORDER}: this list is in the order of its key`)
  if (count === 1) return [decoded]
  const texts = parseArray(decoded)
  if (texts?.length !== count || !texts.every((text) => typeof text === 'string')) {
    throw new Error('this is no cursor of this list')
  }
  return texts
}

const MARK = '[A-Za-z0-9_-]{8}'
const SORTED = new RegExp(`^\\["${MARK}",\\s?"(?:${MARK})?",`)
const OTHER_ORDER = 'this cursor was made for another order'

/**
 * Short hashes at the start of a cursor. They ensure that a client uses a cursor only with the same list, order and
 * filter.
 */
export interface CursorMarks {
  readonly order: string
  readonly filter: string
}

/**
 * Decodes a cursor of a connection with `orderBy` to the texts of its sort keys; `null`: the key is NULL.
 * @param raw the cursor of the client
 * @param count number of sort keys
 * @param marks hashes that the cursor must start with; `null`: accept any
 * @throws Error whose message describes the fault
 */
export function readSortedCursor(raw: unknown, count: number, marks: CursorMarks | null): readonly (string | null)[] {
  const decoded = decode(raw)
  if (decoded === null) throw new Error('this is no cursor')
  const parts = SORTED.test(decoded) ? parseArray(decoded) : null
  if (parts === null) throw new Error(`${OTHER_ORDER}, or for none: start again from the first page`)
  const [order, filter, ...texts] = parts
  if (marks !== null && order !== marks.order) throw new Error(`${OTHER_ORDER}: start again from the first page`)
  if (marks !== null && filter !== marks.filter) {
    throw new Error('this cursor was made with another filter: start again from the first page')
  }
  if (texts.length !== count) throw new Error('this is no cursor of this list')
  return texts
}

/**
 * Returns which sort keys in a cursor are NULL, as part of the cache key of a plan, because the SQL depends on it. `n`:
 * NULL, `v`: a value; `x`: the cursor is invalid.
 * @param raw the cursor of the client
 */
export function nullsOfCursor(raw: unknown): string {
  const decoded = decode(raw)
  const parts = decoded !== null && SORTED.test(decoded) ? parseArray(decoded) : null
  return parts === null ? 'x' : parts.map((part) => (part === null ? 'n' : 'v')).join('')
}

/** Returns a hash of 8 characters for the start of a cursor, see {@link CursorMarks}. */
export function cursorMark(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

function decode(raw: unknown): string | null {
  return typeof raw === 'string' ? decodeBase64(raw) : null
}

function parseArray(json: string): readonly (string | null)[] | null {
  try {
    const value: unknown = JSON.parse(json)
    const isOne = Array.isArray(value) && value.every((item) => item === null || typeof item === 'string')
    return isOne ? value : null
  } catch {
    return null
  }
}
