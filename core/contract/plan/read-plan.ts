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

/** The plan of a query: an immutable tree without SQL. Requests that differ only in values share it. */
export interface ReadPlan {
  readonly roots: readonly RootPlan[]
  /** `true`: the result is the value of the only root field itself, not an object with a key for each root field. */
  readonly alone: boolean
  /** Claims and context values of the caller that the row rules in the plan read. Absent: none. */
  readonly caller?: CallerReads
  /** Estimated size in bytes of the plan and of the statements prepared from it. */
  readonly weight: number
}

/** Names of the data about the caller that row rules of the schema read, without those of `authorize` hooks. */
export interface CallerReads {
  /** Names or dotted paths of token claims. */
  readonly claims: ReadonlySet<string>
  /** Names or dotted paths of values in `exchange.context`. */
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

/** Plan of a list of rows: a view or table, with conditions, order and page, and the members to read from each row. */
export interface Rows {
  readonly row: SourceRow
  /** The members to read from each row. */
  readonly object: Shape
  /** Join condition between these rows and the row that has the relation; `null` at a root field. */
  readonly tie: Tie | null
  /** Row rules of the schema, which apply to all callers. They come first in the SQL, before conditions of clients. */
  readonly rules: readonly Condition[]
  /** Conditions from declared arguments and from keys. That of the argument `where` is in {@link filter}. */
  readonly where: readonly Condition[]
  /** The condition of the client's argument `where`; `null`: none. */
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

/** The selected members of an object, which is a row or a part of a row's JSON document. */
export type Shape = ObjectShape | AbstractShape

export interface ObjectShape {
  readonly kind: 'object'
  readonly typeName: string
  readonly members: readonly Member[]
}

/**
 * Members of an interface or union. A column has the row's type name; a name that is neither in `possible` nor in `denied`
 * gives null and an error.
 */
export interface AbstractShape {
  readonly kind: 'abstract'
  readonly typeColumn: StoredValue
  readonly possible: readonly { readonly typeName: string; readonly object: ObjectShape }[]
  /** Names of the types that the caller may not read. Their rows are null. */
  readonly denied: readonly string[]
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

/** A selected object, or list of objects, that is stored inside the JSON document of its parent. */
export interface Embedded {
  readonly kind: 'embedded'
  readonly value: StoredValue
  readonly type: TypeRef
  /** Stands for the object, where its members refer to the row that they are read from. */
  readonly row: EmbeddedRow
  readonly object: Shape
  /** Maximum number of items (`svc.max_rows`) of each list in the value; `null`: no limit. */
  readonly guard: Guard | null
}

/**
 * Plan of a `{Type}List`, a wrapper with rows and their total count. It has only the members that the client selected.
 */
export interface Counted {
  readonly kind: 'counted'
  readonly members: readonly CountedMember[]
}

export type CountedMember = { readonly key: string } & (
  | { readonly kind: 'items'; readonly rows: Rows }
  | { readonly kind: 'total'; readonly of: CountOf }
  | { readonly kind: 'typename'; readonly name: string }
)

/** Plan of a `{Type}Connection`: one page of keyset pagination. It has only the members that the client selected. */
export interface Connection {
  readonly kind: 'connection'
  /** All rows of the connection. `keyset` selects a page of them. */
  readonly from: CountOf
  readonly keyset: Keyset
  readonly members: readonly ConnectionMember[]
}

/**
 * Start, size and direction of a connection's page, in the order of the key or in an order that the client requested.
 */
export type Keyset = KeyedPage | SortedPage

interface PageBounds {
  readonly forward: boolean
  readonly size: Count
  /** Includes the row after the page, which shows whether there are more. */
  readonly sizePlusOne: Count
}

/** A page of a connection in the order of the rows' key. */
export interface KeyedPage extends PageBounds {
  readonly by: 'key'
  readonly key: StoredValue
  /** Type of the key by its name in the catalog; `null`: unknown. */
  readonly type: string | null
  /** Second sort key, part of each cursor; `null`: the catalog proves that {@link key} is unique. */
  readonly tie: { readonly value: StoredValue; readonly type: string | null } | null
  /**
   * Values of the cursor `after`: the key and, if any, the second sort key. `null`: the page starts at the first row.
   */
  readonly after: readonly Slot[] | null
  readonly before: readonly Slot[] | null
}

/** A page of a connection in an order that the client requested. The key of the rows is the last sort key. */
export interface SortedPage extends PageBounds {
  readonly by: 'order'
  readonly terms: readonly SortKey[]
  /** Values whose hash is the last sort key, if the sort terms do not identify a row; `null`: they do. */
  readonly digest: readonly StoredValue[] | null
  /** Hashes of list, order and filter, which begin each cursor, so that a cursor of another list is rejected. */
  readonly marks: readonly Slot[]
  /** Values of the cursor `after`, one per sort term (null for NULL). `null`: the page starts at the first row. */
  readonly after: readonly (Slot | null)[] | null
  readonly before: readonly (Slot | null)[] | null
}

export interface SortKey {
  readonly target: Target
  readonly direction: Direction
  /** `true` if rows may have NULL in the sort key, which changes how a cursor is compared. */
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

/** Plan of a root field that reads rows by keys: per key, in order, one row or null, or a list of rows (`many`). */
export interface PerKey {
  readonly kind: 'perKey'
  readonly many: boolean
  readonly rows: Rows
  /** The values of a row that are compared with a key: one, or one per field of a compound key. */
  readonly parts: readonly KeyPart[]
  /** Values that the caller supplies with the keys, for computed columns of the rows. */
  readonly supplied: readonly SuppliedValue[]
}

export interface KeyPart {
  readonly target: Target
  /**
   * The embedded objects on the path from the row to `target`, outermost first. Empty: it is a value of the row itself.
   */
  readonly through: readonly ExistsCondition['over'][]
  /** Parameter with this part of all keys, in the order of the keys. */
  readonly keys: Slot
}

/** Values that the caller supplies with the keys, one per key, as input of a computed column. */
export interface SuppliedValue {
  /** Parameter with the values as texts, in the order of the keys. Computed columns read the same parameter. */
  readonly slot: Slot
  /** Name of the SQL type that the texts are cast to, by PostgreSQL's name. */
  readonly type: string
}
