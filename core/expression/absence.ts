import type { ExpressionNode } from './syntax.ts'

type Path = Extract<ExpressionNode, { kind: 'path' }>

/**
 * Returns the paths (`user.name`) in a part of an expression, also those that a method is called on
 * (`status.changed()`).
 */
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

/**
 * The names in an expression that refer to data about the caller, such as claims, and how a condition on an absent
 * value of them is evaluated.
 */
export interface CallerNames {
  readonly has: (name: string) => boolean
  /**
   * How a condition on an absent value is evaluated. `fails`: it is false, also inside `not`, for conditions that grant
   * access. `differs`: the value is equal to no other, so that `!=` is true, for conditions that add requirements.
   */
  readonly absence: 'fails' | 'differs'
}

/** Tests whether a part of an expression reads data about the caller. */
export function readsCaller(node: ExpressionNode, caller: CallerNames | undefined): boolean {
  return caller !== undefined && pathsOf(node).some(({ names }) => caller.has(names[0]!))
}

/**
 * Tests whether a part of an expression is `x == null` or `x != null`. Only these comparisons accept an absent value.
 */
export function isNullTest(node: ExpressionNode): boolean {
  if (node.kind !== 'compare' || (node.operator !== '==' && node.operator !== '!=')) return false
  return [node.left, node.right].some((side) => side.kind === 'constant' && side.value === null)
}

/**
 * Returns the paths whose values must be present for a condition to be true. Empty for a condition that does not read
 * data about the caller, for a comparison with `null`, and with `absence: 'differs'`.
 */
export function neededPaths(node: ExpressionNode, caller: CallerNames | undefined): readonly Path[] {
  return caller?.absence === 'fails' && readsCaller(node, caller) && !isNullTest(node) ? pathsOf(node) : []
}

export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined
}
