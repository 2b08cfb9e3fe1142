import type { filterOperators, InterfaceType } from '../../core/doors/front.ts'
import type { FieldModel, ObjectType, QueryModel } from '../../core/doors/plugin.ts'
import type { OutputComposite } from '../../core/schema/type-model.ts'
import type { Caller } from './world/callers.ts'

/** What the generator makes: a request as data, which can be printed, answered by the reference, and made smaller. */
export interface Request {
  readonly caller: Caller
  readonly roots: readonly Root[]
}

export type RowType = ObjectType | InterfaceType

/** A value of JSON; numbers that no double holds as {@link Token}. */
export type Json = null | boolean | number | string | Token | readonly Json[] | { readonly [key: string]: Json }

/** A number as it is written. */
export class Token {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value that the document has as a literal, or as a variable. */
export interface Given<T> {
  readonly value: T
  readonly as: 'literal' | 'variable' | 'default'
}

export type Root =
  | { readonly kind: 'typename'; readonly key: string }
  | {
      readonly kind: 'node'
      readonly key: string
      readonly type: ObjectType
      readonly id: Given<string>
      readonly of: Selection
    }
  | QueryRoot
  | NumbersRoot

/** Numbers about rows of a query. */
export interface NumbersRoot {
  readonly kind: 'numbers'
  readonly key: string
  readonly query: QueryModel
  readonly equals: QueryRoot['equals']
  readonly numbers: Numbers
}

/** Numbers about all rows of a list, or about groups of them. */
export interface Numbers {
  readonly type: RowType
  readonly where?: Given<Where | null>
  /** `null`: about all rows. */
  readonly groupBy: Given<readonly FieldModel[]> | null
  readonly having?: Given<Having>
  readonly orderBy?: Given<readonly GroupTerm[]>
  readonly limit?: Given<number | null>
  readonly offset?: Given<number | null>
  readonly members: readonly NumbersMember[]
}

export type FieldFunction = 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

export type NumbersMember =
  | { readonly key: string; readonly name: 'count' | '__typename' }
  | {
      readonly key: string
      readonly name: 'keys' | FieldFunction
      readonly fields: readonly { readonly key: string; readonly field: FieldModel }[]
    }

/** One number of a group; `field` is `null` for `count`. */
export type GroupNumber =
  | { readonly name: 'count'; readonly field: null }
  | { readonly name: FieldFunction; readonly field: FieldModel }

export type GroupTerm = (GroupNumber | { readonly name: 'keys'; readonly field: FieldModel }) & {
  readonly direction: Direction
}

export type Having =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Having[] }
  | { readonly kind: 'not'; readonly part: Having }
  | { readonly kind: 'test'; readonly of: GroupNumber; readonly operator: HavingOperator; readonly operand: Json }

export const HAVING_OPERATORS = ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte'] as const
export type HavingOperator = (typeof HAVING_OPERATORS)[number]

export interface QueryRoot {
  readonly kind: 'query'
  /** The operator or the order that it asks for, and nothing besides; `null`: anything. */
  readonly aim: string | null
  readonly key: string
  readonly query: QueryModel
  readonly args: ListArguments
  /** Declared arguments. */
  readonly equals: readonly { readonly name: string; readonly given: Given<Json> }[]
  readonly of: Selection
  /** Of a connection or a counted list: its members; `items` and `node` have the selection of the rows. */
  readonly wrapper: readonly WrapperMember[] | null
}

export type WrapperMember =
  | { readonly key: string; readonly name: 'totalCount' | '__typename' | 'items' }
  | {
      readonly key: string
      readonly name: 'edges'
      readonly members: readonly NamedKey<'cursor' | 'node' | '__typename'>[]
    }
  | { readonly key: string; readonly name: 'pageInfo'; readonly members: readonly NamedKey<PageInfoName>[] }

export type PageInfoName = 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' | '__typename'

export interface NamedKey<Name> {
  readonly key: string
  readonly name: Name
}

/** What a list takes. A member that is `undefined` is not written, `null` is written as null. */
export interface ListArguments {
  readonly where?: Given<Where | null>
  readonly orderBy?: Given<readonly OrderTerm[]>
  readonly limit?: Given<number | null>
  readonly offset?: Given<number | null>
  readonly first?: Given<number | null>
  readonly last?: Given<number | null>
  readonly after?: Given<string | null>
  readonly before?: Given<string | null>
}

export interface OrderTerm {
  readonly field: FieldModel
  readonly direction: Direction
}

export const DIRECTIONS = [
  'ASC',
  'DESC',
  'ASC_NULLS_FIRST',
  'ASC_NULLS_LAST',
  'DESC_NULLS_FIRST',
  'DESC_NULLS_LAST',
] as const
export type Direction = (typeof DIRECTIONS)[number]

/** A filter: all of its members hold. */
export interface Where {
  readonly type: RowType
  readonly members: readonly Member[]
}

export type Member =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Where[] }
  | { readonly kind: 'not'; readonly part: Where }
  | { readonly kind: 'tests'; readonly field: FieldModel; readonly tests: readonly Test[] }
  /** A single object. */
  | { readonly kind: 'one'; readonly field: FieldModel; readonly part: Where }
  /** A list of objects. */
  | { readonly kind: 'many'; readonly field: FieldModel; readonly quantifiers: readonly Quantified[] }
  /** Given by a variable that is not sent: no condition. */
  | { readonly kind: 'nothing'; readonly name: string; readonly input: string }

export interface Quantified {
  readonly quantifier: 'some' | 'every' | 'none'
  readonly part: Where
}

export interface Test {
  readonly operator: filterOperators.Operator
  readonly operand: Json
  readonly as: 'literal' | 'variable'
}

/** Fields in their order, each part for rows of its type. */
export interface Selection {
  readonly type: OutputComposite
  readonly parts: readonly Part[]
}

export interface Part {
  /** `plain`: written as it is; else behind `... on Type`, or in a named fragment. */
  readonly form: 'plain' | 'inline' | 'named'
  /** Type of the rows it holds for; `null`: all. */
  readonly on: ObjectType | null
  readonly items: readonly Item[]
}

export interface Item {
  readonly key: string
  /** `null`: `__typename`. */
  readonly field: FieldModel | null
  /** Numbers about the rows that the field leads to, in place of the field. */
  readonly numbers?: Numbers
  /** Of related lists. */
  readonly args: ListArguments
  /** Of objects. */
  readonly of: Selection | null
  /** `@include` or `@skip`. */
  readonly directive: { readonly name: 'include' | 'skip'; readonly if: Given<boolean> } | null
}

/** Is it part of the answer? */
export function isIncluded({ directive }: Item): boolean {
  return directive === null || directive.if.value === (directive.name === 'include')
}
