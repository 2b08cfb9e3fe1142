/**
 * Returns the keys of a relation besides its primary key. Keys that contain another key are left out, such as those of covering indexes.
 * Keys of required columns come first, because they identify every row.
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
