/** What a batch of a stream holds, about, in characters. */
const BATCH_CHARACTERS = 256 * 1024
/** Nothing is known of the first rows: they may be large. */
const FIRST = 32

/** How many rows of a stream are read first. @param most that are wanted at once */
export function firstBatchSize(most: number): number {
  return Math.max(1, Math.min(FIRST, Math.trunc(most)))
}

/** How many rows are read next, where these were the last: fewer of large ones. */
export function nextBatchSize(most: number, last: readonly (readonly (string | null)[])[]): number {
  let size = 0
  for (const row of last) for (const value of row) size += value?.length ?? 0
  if (size === 0) return Math.max(1, Math.trunc(most))
  return Math.max(1, Math.min(Math.trunc(most), Math.floor((BATCH_CHARACTERS * last.length) / size)))
}
