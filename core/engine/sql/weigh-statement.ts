import type { RenderedSql } from './fragment.ts'

/** Measured, as what stays after a full collection: a plan, its completion, and its name wherever it is prepared. */
const BYTES_PER_PLAN = 3000
/** The text, and the fragments that it was made of, which slots and writers hold on to. */
const BYTES_PER_CHARACTER = 6
/** A slot: where its value is, how it is checked and turned into text. */
const BYTES_PER_SLOT = 2000

/** About the memory that a statement holds with the plan it was made of, in bytes. */
export function weighStatement({ text, slots }: RenderedSql): number {
  return BYTES_PER_PLAN + text.length * BYTES_PER_CHARACTER + slots.length * BYTES_PER_SLOT
}
