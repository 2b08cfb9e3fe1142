/** What a database's plan says about itself, as far as it can be read. */
export interface PlanFacts {
  /** In the database's own unit; `null`: it gives none. */
  readonly cost: number | null
  readonly scans: readonly Scan[]
}

/** A relation that is read from one end to the other. */
export interface Scan {
  readonly relation: string
  /** Rows that come out, estimated; `null`: the database does not say. */
  readonly rows: number | null
  readonly cost: number | null
  /** A condition that each row is asked for. */
  readonly filter: string | null
}

type Node = Readonly<Record<string, unknown>>

/** Reads the JSON of PostgreSQL's `EXPLAIN (FORMAT JSON)` and of SQLite's `EXPLAIN QUERY PLAN` as the drivers give it. */
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

/** `SCAN tb_post`, and not `SEARCH tb_post USING INDEX …` nor `SCAN json_each VIRTUAL TABLE …`. */
function readDetail({ detail }: Node): readonly Scan[] {
  const [, relation] = /^SCAN (\w+)$/.exec(String(detail)) ?? []
  return relation === undefined ? [] : [{ relation, rows: null, cost: null, filter: null }]
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
