import type { ExpressionNode } from './syntax.ts'

type Path = Extract<ExpressionNode, { kind: 'path' }>

/** Returns the paths in a node, including paths with a call (`status.changed()`). */
export function pathsOf(node: ExpressionNode): readonly Path[] {
  switch (node.kind) {
    case 'path':
      return [node]
    case 'and':
    case 'or':
    case 'compare':
    case 'arithmetic':
      return [...pathsOf(node.left), ...pathsOf(node.right)]
    case 'not':
    case 'negative':
      return pathsOf(node.of)
    case 'list':
      return node.items.flatMap(pathsOf)
    case 'call': {
      const own: readonly Path[] = node.receiver === null ? [] : [{ kind: 'path', at: node.at, names: node.receiver }]
      return [...own, ...node.args.flatMap(pathsOf)]
    }
    case 'constant':
    case 'pattern':
      return []
  }
}

/** Names that refer to data about the caller, and the meaning of an absent value. */
export interface CallerNames {
  readonly has: (name: string) => boolean
  /**
   * Effect of an absent value. `fails`: a test that needs the value is false, negated or not. For conditions that grant
   * access. `differs`: an absent value is equal to no value, so that `!=` is true. For conditions that add
   * requirements.
   */
  readonly absence: 'fails' | 'differs'
}

/** Tests whether a node depends on the caller. */
export function readsCaller(node: ExpressionNode, caller: CallerNames | undefined): boolean {
  return caller !== undefined && pathsOf(node).some(({ names }) => caller.has(names[0]!))
}

/** Tests for `x == null` and `x != null`, which detect absence. Every other comparison needs both sides. */
export function isNullTest(node: ExpressionNode): boolean {
  if (node.kind !== 'compare' || (node.operator !== '==' && node.operator !== '!=')) return false
  return [node.left, node.right].some((side) => side.kind === 'constant' && side.value === null)
}

/**
 * Returns the paths that must have a value before a condition on the caller is evaluated; an empty list for other
 * conditions.
 */
export function neededPaths(node: ExpressionNode, caller: CallerNames | undefined): readonly Path[] {
  return caller?.absence === 'fails' && readsCaller(node, caller) && !isNullTest(node) ? pathsOf(node) : []
}

export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined
}
