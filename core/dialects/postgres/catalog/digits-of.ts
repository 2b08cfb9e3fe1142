import type { Digits } from '../../../schema/digits.ts'

/** Behind the four bytes that every modifier of a variable length begins with. */
const HEADER = 4
/** Scales are eleven bits with sign. */
const SCALE_BITS = 0x7ff
const SCALE_SIGN = 0x400

/** What the modifier of `numeric(12, 2)` says; nothing of other types, and of a bare `numeric`. */
export function digitsOf(type: string, modifier: number): { readonly digits?: Digits } {
  if (type !== 'numeric' || modifier < HEADER) return {}
  const packed = modifier - HEADER
  return { digits: { precision: packed >>> 16, scale: ((packed & SCALE_BITS) ^ SCALE_SIGN) - SCALE_SIGN } }
}
