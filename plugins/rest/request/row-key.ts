/** Returns the response key of the mutation call that writes the row with this index. */
export const rootKey = (index: number): string => `r${index}`

/**
 * Returns the index of the row that the mutation call with a response key writes.
 * @param key response key from {@link rootKey}
 * @returns `null`: the key belongs to no row
 */
export function rowOf(key: string | number | undefined): number | null {
  const index = typeof key === 'string' ? Number(key.slice(1)) : Number.NaN
  return rootKey(index) === key ? index : null
}
