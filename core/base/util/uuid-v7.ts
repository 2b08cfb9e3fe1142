import { randomFillSync } from 'node:crypto'

/** Number of UUIDs for which random bytes are generated at once. A call of the generator costs as much as the rest of a UUID. */
const AT_ONCE = 128
const BYTES = 10
const pool = Buffer.alloc(AT_ONCE * BYTES)
let next = pool.length

/**
 * Makes a UUID of version 7 (RFC 9562), which sorts by time. Its last part is small enough that {@link nextUuid} can
 * count up from it.
 * @param now milliseconds since 1970
 */
export function uuidV7(now: number): string {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  const time = now.toString(16).padStart(12, '0')
  const random = pool.toString('hex', next, next + BYTES)
  const variant = ((pool[next + 2]! & 0x3f) | 0x80).toString(16)
  const last = (pool[next + 4]! & 0x7f).toString(16).padStart(2, '0')
  next += BYTES
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(6, 8)}-${last}${random.slice(10)}`
}

/**
 * Returns a UUID that is `n` greater than one from {@link uuidV7}, so that the rows that one database call wrote have
 * consecutive ids.
 * @param n from 0
 */
export function nextUuid(uuid: string, n: number): string {
  if (n === 0) return uuid
  return uuid.slice(0, 24) + (Number.parseInt(uuid.slice(24), 16) + n).toString(16).padStart(12, '0')
}
