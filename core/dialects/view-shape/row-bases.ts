import type { ViewShape } from './read-view-shape.ts'

export type { ViewShape } from './read-view-shape.ts'

/**
 * Of which relations of FROM does each row of the view show a row of its own? Never claims it wrongly.
 * @param isKey do these columns of the relation identify one of its rows?
 * @returns their aliases
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

/** Columns of a relation that have to be equal to columns of rows that are known. */
function fixedColumns(
  joins: ViewShape['joins'],
  join: ViewShape['joins'][number],
  reached: ReadonlySet<string>,
): ReadonlySet<string> {
  const columns = new Set<string>()
  // What an optional relation is joined by says nothing of the others: their rows stay where it has none.
  const conditions = join.optional ? join.on : joins.flatMap(({ optional, on }) => (optional ? [] : on))
  for (const { left, right } of conditions) {
    if (left.of === join.alias && reached.has(right.of)) columns.add(left.name)
    if (right.of === join.alias && reached.has(left.of)) columns.add(right.name)
  }
  return columns
}
