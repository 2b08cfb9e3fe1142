/** The used members of a node of EXPLAIN (FORMAT JSON). */
interface PlanNode {
  readonly [key: string]: unknown
  readonly Plans?: readonly PlanNode[]
}

/** Keys that define the shape of a plan. Costs, estimates and conditions with values are not part of it. */
const PARTS = [
  'Node Type',
  'Parent Relationship',
  'Subplan Name',
  'Join Type',
  'Strategy',
  'Scan Direction',
  'Relation Name',
  'Alias',
  'Index Name',
  'Function Name',
] as const

/**
 * Reduces an EXPLAIN plan to its structure, without costs and row counts.
 * @param plan JSON text of EXPLAIN (FORMAT JSON)
 * @returns a text that is equal for plans with the same structure
 */
export function planShape(plan: string): string {
  const [{ Plan: root }] = JSON.parse(plan) as readonly [{ readonly Plan: PlanNode }]
  return shapeOf(root)
}

function shapeOf(node: PlanNode): string {
  const parts = PARTS.map((part) => String(node[part] ?? ''))
  // An index scan without a condition reads the whole index.
  const finds = node['Index Cond'] === undefined ? '' : 'by condition'
  return `(${[...parts, finds, ...(node.Plans ?? []).map(shapeOf)].join('|')})`
}
