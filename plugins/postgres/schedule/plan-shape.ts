/** A node of EXPLAIN (FORMAT JSON), as far as it is looked at. */
interface PlanNode {
  readonly [key: string]: unknown
  readonly Plans?: readonly PlanNode[]
}

/** Keys of a node that distinguish one way to the rows from another. Costs, estimates and conditions with values do not. */
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

/** @param plan JSON text of EXPLAIN (FORMAT JSON) @returns equal for plans that take the same way to the rows */
export function planShape(plan: string): string {
  const [{ Plan: root }] = JSON.parse(plan) as readonly [{ readonly Plan: PlanNode }]
  return shapeOf(root)
}

function shapeOf(node: PlanNode): string {
  const parts = PARTS.map((part) => String(node[part] ?? ''))
  // An index that is walked as a whole is no index that finds the rows.
  const finds = node['Index Cond'] === undefined ? '' : 'by condition'
  return `(${[...parts, finds, ...(node.Plans ?? []).map(shapeOf)].join('|')})`
}
