import type { TypeRef } from '../schema/type-ref.ts'

/** Position in a document, 1-based. */
export interface Location {
  readonly line: number
  readonly column: number
}

/** An argument, by wire name. Arguments that the client omitted and that have no default have no node. */
export interface ArgumentNode {
  readonly name: string
  readonly value: ValueNode
}

/**
 * A value in a document: coerced constants, and variables, whose values come with each request. Enum constants are wire names; input
 * objects have wire names as keys.
 */
export type ValueNode =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'variable'; readonly name: string; readonly type: TypeRef }
  | { readonly kind: 'list'; readonly items: readonly ValueNode[] }
  | { readonly kind: 'object'; readonly fields: readonly { readonly name: string; readonly value: ValueNode }[] }
