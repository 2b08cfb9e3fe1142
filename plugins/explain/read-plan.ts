/** Cost and full table scans that the EXPLAIN output of a database shows. */
export interface PlanFacts {
  /** Estimated total cost in the unit of the database; `null`: the output has none. */
  readonly cost: number | null
  readonly scans: readonly Scan[]
}

/** A scan of a whole table, without an index, in the EXPLAIN output of a database. */
export interface Scan {
  readonly relation: string
  /** Estimated number of rows that the scan returns; `null`: the output has none. */
  readonly rows: number | null
  readonly cost: number | null
  /** SQL condition that the database evaluates for each row; `null`: none. */
  readonly filter: string | null
}

type Node = Readonly<Record<string, unknown>>

/**
 * Reads cost and full table scans from EXPLAIN output: PostgreSQL's `EXPLAIN (FORMAT JSON)` or SQLite's `EXPLAIN QUERY
 * PLAN`.
 * @param plan parsed JSON; anything else than an array yields no facts
 */
export function readPlan(plan: unknown): PlanFacts {
  if (!Array.isArray(plan)) return { cost: null, scans: [] }
  const [first] = plan as readonly Node[]
  if (first?.Plan === undefined) return { cost: null, scans: (plan as readonly Node[]).flatMap(readDetail) }
  const scans: Scan[] = []
  visit(first.Plan as Node, scans)
  return { cost: numberOf((first.Plan as Node)['Total Cost']), scans }
}

function visit(node: Node, scans: Scan[]): void {
  if (node['Node Type'] === 'Seq Scan' && typeof node['Relation Name'] === 'string') {
    scans.push({
      relation: node['Relation Name'],
      rows: numberOf(node['Plan Rows']),
      cost: numberOf(node['Total Cost']),
      filter: typeof node.Filter === 'string' ? node.Filter : null,
    })
  }
  for (const inner of (node.Plans ?? []) as readonly Node[]) visit(inner, scans)
}

/** Recognizes `SCAN tb_post`, but not `SEARCH tb_post USING INDEX …` and `SCAN json_each VIRTUAL TABLE …`. */
function readDetail({ detail }: Node): readonly Scan[] {
  const [, relation] = /^SCAN (\w+)$/.exec(String(detail)) ?? []
  return relation === undefined ? [] : [{ relation, rows: null, cost: null, filter: null }]
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
