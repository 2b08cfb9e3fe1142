import type { ViewShape } from './read-view-shape.ts'

export type { ViewShape } from './read-view-shape.ts'

/**
 * Returns the aliases of the relations in a view whose rows appear at most once in the view. Such an alias is proven;
 * others may be missing.
 * @param isKey returns `true` if the columns contain a key of the relation, so that their values identify one row
 */
export function rowBases(
  { joins }: ViewShape,
  isKey: (relation: string, columns: ReadonlySet<string>) => boolean,
): ReadonlySet<string> {
  const bases = new Set<string>()
  for (const base of joins) {
    if (base.optional || base.relation === null) continue
    const reached = new Set([base.alias])
    for (let before = 0; before !== reached.size; ) {
      before = reached.size
      for (const join of joins) {
        if (reached.has(join.alias)) continue
        const columns = fixedColumns(joins, join, reached)
        if (join.single || (join.relation !== null && isKey(join.relation, columns))) reached.add(join.alias)
      }
    }
    if (reached.size === joins.length) bases.add(base.alias)
  }
  return bases
}

/** Returns columns of a relation that must be equal to columns of rows that are already fixed. */
function fixedColumns(
  joins: ViewShape['joins'],
  join: ViewShape['joins'][number],
  reached: ReadonlySet<string>,
): ReadonlySet<string> {
  const columns = new Set<string>()
  // The condition of an outer join does not restrict the other relations: their rows are kept without a match.
  const conditions = join.optional ? join.on : joins.flatMap(({ optional, on }) => (optional ? [] : on))
  for (const { left, right } of conditions) {
    if (left.of === join.alias && reached.has(right.of)) columns.add(left.name)
    if (right.of === join.alias && reached.has(left.of)) columns.add(right.name)
  }
  return columns
}
