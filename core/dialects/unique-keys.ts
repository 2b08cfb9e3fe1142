/**
 * Returns the unique keys of a relation without its primary key. It omits keys that contain all columns of another key.
 * Keys without nullable columns come first, because they identify every row.
 * @param keys columns of each unique key
 * @param primary columns of the primary key; empty: none
 * @param required columns without NULLs
 */
export function uniqueKeys(
  keys: readonly (readonly string[])[],
  primary: readonly string[],
  required: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const all = primary.length === 0 ? keys : [primary, ...keys]
  const found = all.filter(
    (key, i) => key !== primary && !all.some((other, j) => i !== j && isCovered(key, other, j < i)),
  )
  const isRequired = (key: readonly string[]): boolean => key.every((column) => required.has(column))
  return [...found.filter(isRequired), ...found.filter((key) => !isRequired(key))]
}

/** Tests whether a key contains another one. Of two equal keys, the later one is covered. */
function isCovered(key: readonly string[], other: readonly string[], isLater: boolean): boolean {
  return other.every((column) => key.includes(column)) && (other.length < key.length || isLater)
}
