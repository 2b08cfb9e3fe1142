import type { TypeRef } from '../schema/type-ref.ts'

export interface Location {
  readonly line: number
  readonly column: number
}

/** One argument, by wire name. Arguments that the client left out and that have no default have no node. */
export interface ArgumentNode {
  readonly name: string
  readonly value: ValueNode
}

/**
 * A value as the document gives it: coerced constants, and variables that are filled in per request. Enum constants
 * are wire names; input objects keep wire names as keys.
 */
export type ValueNode =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'variable'; readonly name: string; readonly type: TypeRef }
  | { readonly kind: 'list'; readonly items: readonly ValueNode[] }
  | { readonly kind: 'object'; readonly fields: readonly { readonly name: string; readonly value: ValueNode }[] }
