/** Returns the response key of the root field that writes row `index` of a request. */
export const rootKey = (index: number): string => `r${index}`

/**
 * Reads the index of a row from a response key.
 * @returns index of the row that the root field with this key writes; `null`: the key belongs to no row
 */
export function rowOf(key: string | number | undefined): number | null {
  const index = typeof key === 'string' ? Number(key.slice(1)) : Number.NaN
  return rootKey(index) === key ? index : null
}
