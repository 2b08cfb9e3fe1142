import { parseSync } from 'oxc-parser'

/** A node of a syntax tree. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** The syntax tree of a file of TypeScript. */
export function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  return program as unknown as Node
}

export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode)
}

/** Calls `visit` with each node, from the outside in, and with the nodes around it, the nearest last. */
export function walk(
  node: Node,
  visit: (node: Node, around: readonly Node[]) => void,
  around: readonly Node[] = [],
): void {
  visit(node, around)
  const within = [...around, node]
  for (const child of childrenOf(node)) walk(child, visit, within)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
