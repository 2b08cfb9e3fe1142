/** Approximate size of a batch of a stream, in characters. */
const BATCH_CHARACTERS = 256 * 1024
/** Rows of the first batch. It is small, because the size of rows is not known yet. */
const FIRST = 32

/**
 * Returns how many rows the first batch of a stream has: at most 32, because the size of a row is not known yet.
 * @param most maximum number of rows per batch
 */
export function firstBatchSize(most: number): number {
  return Math.max(1, Math.min(FIRST, Math.trunc(most)))
}

/**
 * Returns how many rows the next batch of a stream has, so that it contains about 256 K characters if its rows are as
 * large as those of the last batch.
 * @param most maximum number of rows per batch
 * @param last rows of the last batch
 */
export function nextBatchSize(most: number, last: readonly (readonly (string | null)[])[]): number {
  let size = 0
  for (const row of last) for (const value of row) size += value?.length ?? 0
  if (size === 0) return Math.max(1, Math.trunc(most))
  return Math.max(1, Math.min(Math.trunc(most), Math.floor((BATCH_CHARACTERS * last.length) / size)))
}
