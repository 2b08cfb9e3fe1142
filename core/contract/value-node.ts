import type { TypeRef } from '../schema/type-ref.ts'

/** A position in the document that the client sent; line and column are 1-based. */
export interface Location {
  readonly line: number
  readonly column: number
}

/**
 * An argument of a field, by its name in the API. Arguments that the client omitted and that have no default are left
 * out of lists of arguments.
 */
export interface ArgumentNode {
  readonly name: string
  readonly value: ValueNode
}

/**
 * A value in an operation: a constant, already converted to its type, or a variable, whose value comes with each
 * request. Enum values and keys of input objects have their names in the API.
 */
export type ValueNode =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'variable'; readonly name: string; readonly type: TypeRef }
  | { readonly kind: 'list'; readonly items: readonly ValueNode[] }
  | { readonly kind: 'object'; readonly fields: readonly { readonly name: string; readonly value: ValueNode }[] }
