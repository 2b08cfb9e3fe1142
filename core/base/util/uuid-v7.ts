import { randomFillSync } from 'node:crypto'

/** Random bytes are fetched for so many at once: each fetch costs as much as all the rest. */
const AT_ONCE = 128
const BYTES = 10
const pool = Buffer.alloc(AT_ONCE * BYTES)
let next = pool.length

/**
 * A UUID of version 7 (RFC 9562), which sorts by time. The top bit of its last twelve digits is 0, so that
 * {@link nextUuid} never carries beyond them.
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

/** The UUID that stands `n` behind one of {@link uuidV7}: those of one call's rows are alike but for their last digits. */
export function nextUuid(uuid: string, n: number): string {
  if (n === 0) return uuid
  return uuid.slice(0, 24) + (Number.parseInt(uuid.slice(24), 16) + n).toString(16).padStart(12, '0')
}
