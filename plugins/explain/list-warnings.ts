import type { PlanFacts, Scan } from './read-plan.ts'

/** A scan of fewer rows is what the database chooses for small tables, and no fault. */
const MANY_ROWS = 10_000
/** In PostgreSQL's unit a page that is read in order: about 8 MB. */
const LARGE_COST = 1000

/**
 * @param paths of lists without a limit: response keys from the root down
 * @param maxRows `svc.max_rows`; 0 = no bound
 */
export function listWarnings(
  paths: readonly (readonly string[])[],
  plans: readonly PlanFacts[],
  maxRows: number,
): readonly string[] {
  const atMost = maxRows === 0 ? 'as many rows as there are' : `up to ${maxRows} rows (svc.max_rows)`
  const unbounded = paths.map(
    (path) => `${path.join('.')}: the list has no limit: ${atMost} may come back. Give it a limit.`,
  )
  const scans = plans.flatMap(({ scans }) => scans.flatMap(warnOf))
  return [...new Set([...unbounded, ...scans])]
}

function warnOf({ relation, rows, cost, filter }: Scan): readonly string[] {
  if (rows === null) return [`${relation}: every row is read (no index is used). Fine for a small table.`]
  const isLarge = rows >= MANY_ROWS || (cost ?? 0) >= LARGE_COST
  if (!isLarge) return []
  if (filter === null) return [`${relation}: sequential scan over about ${rows} rows.`]
  return [
    `${relation}: a filter without an index reads the whole table: ${filter}. An index on what it compares would help.`,
  ]
}
