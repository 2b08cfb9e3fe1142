const FIRST_MS = 100
const LONGEST_MS = 30_000

/**
 * How long to wait before a worker is started again.
 * @param failures deaths in a row, each soon after the start
 * @returns milliseconds, doubled with each death
 */
export function restartDelay(failures: number): number {
  return failures <= 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
}
