/** Approximate size of a batch of a stream, in characters. */
const BATCH_CHARACTERS = 256 * 1024
/** Rows of the first batch. It is small, because the size of rows is not known yet. */
const FIRST = 32

/** Returns the number of rows of the first batch. @param most most rows of a batch */
export function firstBatchSize(most: number): number {
  return Math.max(1, Math.min(FIRST, Math.trunc(most)))
}

/** Returns the maximum number of rows of the next batch, from the size of the rows in the last batch. */
export function nextBatchSize(most: number, last: readonly (readonly (string | null)[])[]): number {
  let size = 0
  for (const row of last) for (const value of row) size += value?.length ?? 0
  if (size === 0) return Math.max(1, Math.trunc(most))
  return Math.max(1, Math.min(Math.trunc(most), Math.floor((BATCH_CHARACTERS * last.length) / size)))
}
