import { createHash } from 'node:crypto'

/**
 * Selects by the hash of each key, not by position: the same sample for the same code, and nearly the same after a
 * change. @returns all of them if there are no more than `size`
 */
export function chooseSample<T extends { readonly key: string }>(
  all: readonly T[],
  size: number,
  seed: number,
): readonly T[] {
  const rank = new Map(all.map((one) => [one, createHash('sha1').update(`${seed}\0${one.key}`).digest('hex')]))
  return all.toSorted((a, b) => (rank.get(a)! < rank.get(b)! ? -1 : 1)).slice(0, size)
}
