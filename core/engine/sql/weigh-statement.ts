import type { RenderedSql } from './fragment.ts'

/** Bytes of a plan, its completion, and its name on each connection. All figures were measured as memory after a full collection. */
const BYTES_PER_PLAN = 3000
/** Bytes per character of a statement: its text, and the fragments that slots and writers still refer to. */
const BYTES_PER_CHARACTER = 6
/** Bytes of a slot: the functions that read, check and convert its value. */
const BYTES_PER_SLOT = 2000

/** Estimates the memory of a statement and its plan in bytes. */
export function weighStatement({ text, slots }: RenderedSql): number {
  return BYTES_PER_PLAN + text.length * BYTES_PER_CHARACTER + slots.length * BYTES_PER_SLOT
}
