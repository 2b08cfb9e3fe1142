import type { OperatorId } from '../../schema/operators/operator.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import type { Slot } from '../slot.ts'
import type { Aggregate } from './aggregate-plan.ts'
import type { Condition, ExistsCondition, Operand, Tie } from './condition.ts'
import type { Count, CountOf, Direction, Guard, Leaf, Page } from './plan-parts.ts'
import type { EmbeddedRow, SourceRow, StoredValue, Target } from './stored-value.ts'

// Re-exported so that code which walks a plan needs one import.
export type * from './aggregate-plan.ts'
export type * from './plan-parts.ts'

/** The plan of a read: an immutable tree without SQL that all requests of the same shape share. */
export interface ReadPlan {
  readonly roots: readonly RootPlan[]
  /** `true`: the result is the value of the only root, not an object with a key for each root. */
  readonly alone: boolean
  /** Values of the caller that the rules of the plan read. Absent: the rules read none. */
  readonly caller?: CallerReads
  /** Estimated size in bytes of the plan and of the statements prepared from it. */
  readonly weight: number
}

/** The values of the caller that the plan's rules read, besides the conditions of `authorize`. */
export interface CallerReads {
  /** Paths of the token claims that the plan reads. */
  readonly claims: ReadonlySet<string>
  /** Paths of the values in `exchange.context` that the plan reads. */
  readonly context: ReadonlySet<string>
}

export interface RootPlan {
  /** Response key of the root field. */
  readonly key: string
  readonly value: RootValue
}

export type RootValue =
  /** JSON text that needs no database. */
  | { readonly kind: 'constant'; readonly json: string }
  | { readonly kind: 'single'; readonly rows: Rows; readonly nullable: boolean }
  | { readonly kind: 'list'; readonly rows: Rows }
  | Counted
  | Connection
  /** The first row that exists, else null: an id that may belong to one of several types. */
  | { readonly kind: 'firstOf'; readonly candidates: readonly Rows[] }
  /** Rows of a type by a list of keys, in their order; those that do not exist are left out. Alone: one or none. */
  | { readonly kind: 'byKeys'; readonly rows: Rows; readonly many: boolean }
  | PerKey
  | Aggregate

/** Rows of a source, with their conditions, order and page, and the members to read from each. */
export interface Rows {
  readonly row: SourceRow
  /** The members to read from each row. */
  readonly object: Shape
  /** Join condition that relates the rows to the outer row; `null` at the root. */
  readonly tie: Tie | null
  /** Rules of the schema, which hold for all callers. Written first, so that no condition of a client precedes them. */
  readonly rules: readonly Condition[]
  /** Conditions of arguments and keys. */
  readonly where: readonly Condition[]
  /** The client's filter. */
  readonly filter: Condition | null
  readonly order: readonly OrderTerm[]
  readonly page: Page
}

export type OrderTerm =
  | { readonly kind: 'by'; readonly target: Target; readonly direction: Direction }
  /** Sort key: the position of the value in a list. */
  | { readonly kind: 'position'; readonly target: Target; readonly slot: Slot }
  /** Sort key: the relevance of texts for a search, best match first. */
  | { readonly kind: 'relevance'; readonly targets: readonly Target[]; readonly slot: Slot }
  /** Sort key: the rank in a `tsvector` column, best match first. */
  | { readonly kind: 'rank'; readonly target: Target; readonly operator: OperatorId; readonly operand: Operand }

/** Members of an object that is read from a row, or from a document in a row. */
export type Shape = ObjectShape | AbstractShape

export interface ObjectShape {
  readonly kind: 'object'
  readonly typeName: string
  readonly members: readonly Member[]
}

/** A row of an interface or union: its type column names the concrete type. A name that is none of them gives null. */
export interface AbstractShape {
  readonly kind: 'abstract'
  readonly typeColumn: StoredValue
  readonly possible: readonly { readonly typeName: string; readonly object: ObjectShape }[]
}

export interface Member {
  readonly key: string
  readonly value: MemberValue
}

export type MemberValue =
  | { readonly kind: 'typename'; readonly name: string }
  | Leaf
  /** Null in rows that do not fulfil the condition. */
  | { readonly kind: 'guarded'; readonly when: Condition; readonly value: Leaf }
  /** Masked for the caller: the value is null, and no column is read. */
  | { readonly kind: 'denied' }
  /** The field is stored nowhere in the database: the value is null. */
  | { readonly kind: 'nothing'; readonly type: TypeRef }
  /** One row of another source. */
  | { readonly kind: 'toOne'; readonly rows: Rows; readonly nullable: boolean }
  /** A list of rows of another source. */
  | { readonly kind: 'toMany'; readonly rows: Rows }
  /** Aggregates over rows of another source. */
  | { readonly kind: 'aggregate'; readonly of: Aggregate }
  | Embedded

/** An object in the document of its parent, or a list of such objects. */
export interface Embedded {
  readonly kind: 'embedded'
  readonly value: StoredValue
  readonly type: TypeRef
  /** The object, as the row that its members are read from. */
  readonly row: EmbeddedRow
  readonly object: Shape
  /** Limit for every list in the value; `null`: no limit. */
  readonly guard: Guard | null
}

/** Members of `{Type}List`: rows and total count. Only selected members are read. */
export interface Counted {
  readonly kind: 'counted'
  readonly members: readonly CountedMember[]
}

export type CountedMember = { readonly key: string } & (
  | { readonly kind: 'items'; readonly rows: Rows }
  | { readonly kind: 'total'; readonly of: CountOf }
  | { readonly kind: 'typename'; readonly name: string }
)

/**
 * Members of `{Type}Connection`, one page of keyset pagination (docs/guides/query.md#relay-connections). Only selected
 * members are read.
 */
export interface Connection {
  readonly kind: 'connection'
  /** Rows that the page is selected from. `keyset` has their order and limit. */
  readonly from: CountOf
  readonly keyset: Keyset
  readonly members: readonly ConnectionMember[]
}

/** Position, size and direction of a page, in the order of the key or in an order that the client requested. */
export type Keyset = KeyedPage | SortedPage

interface PageBounds {
  readonly forward: boolean
  readonly size: Count
  /** Includes the row after the page, which shows whether there are more. */
  readonly sizePlusOne: Count
}

/** A page of rows in the order of their key. */
export interface KeyedPage extends PageBounds {
  readonly by: 'key'
  readonly key: StoredValue
  /** Catalog type of the key; `null`: unknown. */
  readonly type: string | null
  /**
   * Second sort key, when the catalog does not prove that the first key is unique. Cursors then hold both keys. `null`:
   * not needed.
   */
  readonly tie: { readonly value: StoredValue; readonly type: string | null } | null
  /** Values of the key and the second key from the cursor; `null`: the page starts at the first row. */
  readonly after: readonly Slot[] | null
  readonly before: readonly Slot[] | null
}

/** A page in an order that the client requested, with the key as the last sort key. */
export interface SortedPage extends PageBounds {
  readonly by: 'order'
  readonly terms: readonly SortKey[]
  /** Values whose digest is the last sort key; `null` when the sort terms identify a row. */
  readonly digest: readonly StoredValue[] | null
  /** Prefix of each cursor: one digest of the list and its order, and one of the filter. */
  readonly marks: readonly Slot[]
  /**
   * Values of the cursor, one per sort term. The plan's shape includes which of them are null. `null`: the page starts
   * at the first row.
   */
  readonly after: readonly (Slot | null)[] | null
  readonly before: readonly (Slot | null)[] | null
}

export interface SortKey {
  readonly target: Target
  readonly direction: Direction
  /** `true` if the value may be null. */
  readonly nullable: boolean
}

export type ConnectionMember = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'total'; readonly of: CountOf }
  | { readonly kind: 'pageInfo'; readonly members: readonly PageInfoMember[] }
  | { readonly kind: 'edges'; readonly members: readonly EdgeMember[] }
)

export interface PageInfoMember {
  readonly key: string
  readonly name: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' | '__typename'
}

export type EdgeMember = { readonly key: string } & (
  | { readonly kind: 'cursor' }
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'node'; readonly object: Shape }
)

/** Rows for a list of keys: for each key, in order, one row or null; or a list of rows (`many`). */
export interface PerKey {
  readonly kind: 'perKey'
  readonly many: boolean
  readonly rows: Rows
  /** The values that are compared with a key; one per part of the key. */
  readonly parts: readonly KeyPart[]
  /** Values supplied with the keys, for computed columns of `rows`. */
  readonly supplied: readonly SuppliedValue[]
}

export interface KeyPart {
  readonly target: Target
  /** The objects on the path to the target, starting at the row. */
  readonly through: readonly ExistsCondition['over'][]
  /** Values of this part of the key, one per key, in order. */
  readonly keys: Slot
}

/** A value that the caller supplies with each key. */
export interface SuppliedValue {
  /** Supplied values as texts, in the order of the keys. Computed columns use the same slot. */
  readonly slot: Slot
  /** Canonical name of the type that the texts are cast to. */
  readonly type: string
}
