import type { ExpressionNode } from './syntax.ts'

type Path = Extract<ExpressionNode, { kind: 'path' }>

/** Paths in a node, calls on a path (`status.changed()`) included. */
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

/** Names of facts about the caller, and the meaning of an absent one. */
export interface CallerNames {
  readonly has: (name: string) => boolean
  /**
   * `fails`: a test that needs an absent value is not fulfilled, negated or not. For conditions that grant something.
   * `differs`: an absent value is equal to nothing, so that `!=` holds. For conditions that demand something.
   */
  readonly absence: 'fails' | 'differs'
}

/** Does a node depend on the caller? */
export function readsCaller(node: ExpressionNode, caller: CallerNames | undefined): boolean {
  return caller !== undefined && pathsOf(node).some(({ names }) => caller.has(names[0]!))
}

/** `x == null` and `x != null` test for absence; every other comparison needs both sides. */
export function isNullTest(node: ExpressionNode): boolean {
  if (node.kind !== 'compare' || (node.operator !== '==' && node.operator !== '!=')) return false
  return [node.left, node.right].some((side) => side.kind === 'constant' && side.value === null)
}

/** The paths that must have a value for a test of the caller; none for other tests. */
export function neededPaths(node: ExpressionNode, caller: CallerNames | undefined): readonly Path[] {
  return caller?.absence === 'fails' && readsCaller(node, caller) && !isNullTest(node) ? pathsOf(node) : []
}

export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined
}
