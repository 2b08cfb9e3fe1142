import type { Decimal } from './decimal.ts'

/**
 * Syntax tree of an expression (docs/guides/validate-input.md#conditions). `at` is the column of the node in the
 * source, 1-based, for messages.
 */
export type ExpressionNode =
  | { readonly kind: 'or' | 'and'; readonly at: number; readonly left: ExpressionNode; readonly right: ExpressionNode }
  | { readonly kind: 'not' | 'negative'; readonly at: number; readonly of: ExpressionNode }
  | {
      readonly kind: 'compare'
      readonly at: number
      readonly operator: Comparison
      readonly left: ExpressionNode
      readonly right: ExpressionNode
    }
  | {
      readonly kind: 'arithmetic'
      readonly at: number
      readonly operator: Arithmetic
      readonly left: ExpressionNode
      readonly right: ExpressionNode
    }
  | { readonly kind: 'constant'; readonly at: number; readonly value: string | boolean | null | Decimal | Date }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly ExpressionNode[] }
  | { readonly kind: 'pattern'; readonly at: number; readonly source: string }
  | { readonly kind: 'path'; readonly at: number; readonly names: readonly string[] }
  /** A function call. `receiver`: the path before the name, as in `status.changed()`. */
  | {
      readonly kind: 'call'
      readonly at: number
      readonly name: string
      readonly receiver: readonly string[] | null
      readonly args: readonly ExpressionNode[]
    }

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in'
export type Arithmetic = '+' | '-' | '*' | '/' | '%'
