import type { SvcError } from '../errors/svc-error.ts'
import type { AggregateFunction } from '../schema/aggregate-type.ts'
import type { Period } from '../schema/group-keys.ts'
import type { FieldModel, MutationModel, ObjectType, OperationModel, QueryModel } from '../schema/model.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import type { Access } from './access.ts'
import type { Exchange } from './exchange.ts'
import type { Result } from './result.ts'
import type { StreamForm } from './result-stream.ts'

export type { AggregateFunction } from '../schema/aggregate-type.ts'

type MaybePromise<T> = T | Promise<T>

/**
 * One operation, independent of the front that read it. The template is the part that depends on the document alone;
 * fronts keep templates in a bounded cache and hand the same object in again, because plans hang on its identity.
 */
export interface Operation {
  readonly template: OperationTemplate
  /** Coerced values by variable name; an absent variable has no key. Never trusted further than its type. */
  readonly variables: Readonly<Record<string, unknown>>
  /** What authorize decided, laid down by the one way to data; absent = it said nothing. A front leaves it out. */
  readonly access?: Access
  /** How the answer is wanted; absent: one JSON text. */
  readonly form?: StreamForm | undefined
  /** Of a stream: rows that are read at once, at most; fewer where they are large. Default 500. */
  readonly batchSize?: number | undefined
  /** How a mutation is to be carried out; absent: each root in its own transaction. */
  readonly write?: WriteManner | undefined
}

/** What a front may ask of a mutation beside its roots. */
export interface WriteManner {
  /**
   * All roots in one transaction: whichever fails, by whatever means, nothing is written, `data` is `null`, and the error
   * has the path of that root.
   */
  readonly atomic?: boolean
  /** Everything runs and is answered as if it were done, and is rolled back. Nobody is told. */
  readonly dryRun?: boolean
  /** Give `Result.writes`. */
  readonly tell?: boolean
  /**
   * Each root in a transaction that is ended by itself, never in one statement that commits as it goes: whoever goes away
   * meanwhile, it is known what became of it.
   */
  readonly certain?: boolean
  /** What has to hold for anything to be written; all of it. */
  readonly preconditions?: readonly Precondition[]
}

/**
 * A query that is read in the transaction of a write, before anything is called, as the caller may see it. The transaction has
 * one view of the database: whoever changes a row between the read and the write of it makes the write begin again, read
 * included. So hooks of a mutation's moments may run more than once for one write.
 */
export interface Precondition {
  /** A query. Its guards hold; it has no `resolve` of its own. */
  readonly operation: Operation
  /** What it throws refuses the write. */
  check(result: Result): void
}

export interface OperationTemplate {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** The client's operation name. Never a metric label. */
  readonly name: string | null
  /** `@skip`/`@include` and fragments are resolved; fields with one response key are merged; in response order. */
  readonly roots: readonly RootSelection[]
  /** Declared variables: the planner needs to know which can be null or absent. */
  readonly variables: readonly VariableDeclaration[]
  /** Owned by the engine: prepared plans of this template. Fronts create it empty. */
  readonly plans: Map<string, unknown>
  /** Set where a root is a {@link RootCall}. */
  readonly hasCalls?: true
  /** What authorize masked of the document: the selections below say `denied` there. Absent = nothing. */
  readonly masked?: Masked
  /** Told by the engine how many bytes of plans have come to hang on it (fewer: negative); who keeps it weighs them. */
  readonly onPlanned?: ((bytes: number) => void) | undefined
}

/** What an operation is not answered, because authorize denied it. */
export interface Masked {
  /** An error each. */
  readonly places: readonly MaskedPlace[]
  /** A root that may not be null is among them: nothing is run. */
  readonly fails: boolean
}

export interface MaskedPlace {
  /** Response keys from the root down, without indexes. */
  readonly path: readonly string[]
  /** Key of `Access.denied`. */
  readonly target: string
  readonly location: Location | null
}

/** Who may ask for a root: the options that an operation of the schema has. */
export type RootGuard = Pick<
  OperationModel,
  'public' | 'authenticated' | 'apiKeyRequired' | 'requiresRole' | 'requiresScope' | 'requiresPolicy'
>

/** A root that a plugin answers itself. It passes authorize and resolve like every other. */
export interface RootCall {
  /** Name on the wire. */
  readonly name: string
  readonly guard: RootGuard
  readonly nullable: boolean
  readonly location: Location | null
  /** @returns JSON text, `null` where a null stands that may not; what failed with its path */
  run(exchange: Exchange, variables: Operation['variables']): MaybePromise<CallResult>
}

export interface CallResult {
  readonly text: string | null
  readonly errors: readonly SvcError[]
}

export interface VariableDeclaration {
  readonly name: string
  readonly type: TypeRef
  /** Coerced default; `undefined` = none. */
  readonly default: unknown
}

export interface Location {
  readonly line: number
  readonly column: number
}

/** One root field. */
export type RootSelection =
  | {
      readonly kind: 'operation'
      readonly responseKey: string
      readonly operation: OperationModel
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      /** Answered with null: what authorize denied. */
      readonly denied?: string
      /** Of a list with a `limit`: read one row more, so that `rootsOf` can say whether there is a next page. */
      readonly lookAhead?: true | undefined
    }
  /** `__typename` of the operation's root type. */
  | { readonly kind: 'typename'; readonly responseKey: string; readonly typeName: string }
  /** The relay root `node(id: ID!)`. */
  | {
      readonly kind: 'node'
      readonly responseKey: string
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      readonly denied?: string
    }
  | RowsRoot
  | AggregateRoot
  /**
   * JSON that the front has already computed (introspection), put in as it stands; or what a call gives, in the place
   * of it.
   */
  | { readonly kind: 'literal'; readonly responseKey: string; readonly json: string; readonly call?: RootCall }

/**
 * Rows of a type by a list of keys: a list in the order of the keys, with null for each that is not there, or may not be
 * seen, or is no key.
 */
export interface RowsRoot {
  readonly kind: 'rows'
  readonly responseKey: string
  readonly type: ObjectType
  /** A list of keys; each a list of values where `by` is one. More of them than `svc.max_rows` are refused. */
  readonly keys: ValueNode
  /** Wire name of the field that they are keys of, or of those that make up a key together. Default `id`. */
  readonly by?: string | readonly string[] | undefined
  /** Whose guards and rules hold. Default: the guards of all queries that give the type, and the rules of `node`. */
  readonly query?: QueryModel | undefined
  readonly selection: ObjectSelection
  readonly location: Location | null
  /** Answered with null: what authorize denied. */
  readonly denied?: string
}

/** Numbers about the rows of a list query: of all of them, or of each group. */
export interface AggregateRoot extends AggregateOf {
  readonly kind: 'aggregate'
  readonly responseKey: string
  /** Whose rows: its guards and rules hold, and a type's. */
  readonly operation: QueryModel
  readonly location: Location | null
  /** Answered with null: what authorize denied. */
  readonly denied?: string
}

/** What is asked about rows: at a root, or about the rows that a relation leads to. */
export interface AggregateOf {
  /**
   * Those that say which rows (`where`, a query's own). With groups `limit` and `offset` are of groups, and `having` and
   * `orderBy` may stand here too, in the form of GraphQL's inputs: `{ sum: { price: { _gt: 5 } } }`, `[{ sum: { price: "DESC" } }]`.
   */
  readonly arguments: readonly ArgumentNode[]
  /**
   * Scalar and enum fields, and periods of days and times; or a list of their names on the wire, where variables decide it.
   * `null`: one object about all rows; else a list of one per group.
   */
  readonly groupBy: readonly GroupedBy[] | ValueNode | null
  readonly fields: readonly AggregateField[]
  /** Which groups: all of these hold. */
  readonly having: readonly AggregateCondition[]
  /** Of the groups, before what `orderBy` of the arguments says; those that neither tells apart are in the order of `groupBy`. */
  readonly orderBy: readonly AggregateOrder[]
}

/** A field, or the period that its values fall into. */
export type GroupedBy = FieldModel | { readonly field: FieldModel; readonly period: Period }

/** A number about rows; `field: null` is the number of rows, and goes with `count` alone. */
export interface Measure {
  readonly function: AggregateFunction
  readonly field: FieldModel | null
}

export type AggregateField =
  | ({ readonly kind: 'measure'; readonly responseKey: string } & Measure)
  /** A field of `groupBy`. */
  | {
      readonly kind: 'key'
      readonly responseKey: string
      readonly field: FieldModel
      readonly period?: Period | null
    }
  | { readonly kind: 'typename'; readonly responseKey: string; readonly typeName: string }
  /** Answered with null: what authorize denied. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly target: string }
  /** `sum { price pages }`. */
  | { readonly kind: 'object'; readonly responseKey: string; readonly fields: readonly AggregateField[] }

export interface AggregateCondition {
  readonly measure: Measure
  readonly operator: '_eq' | '_neq' | '_gt' | '_gte' | '_lt' | '_lte'
  readonly value: ValueNode
}

export interface AggregateOrder {
  readonly by: Measure | { readonly key: FieldModel; readonly period?: Period | null }
  readonly direction: 'ASC' | 'DESC' | 'ASC_NULLS_FIRST' | 'ASC_NULLS_LAST' | 'DESC_NULLS_FIRST' | 'DESC_NULLS_LAST'
}

export type QueryRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: QueryModel }
export type MutationRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: MutationModel }

/**
 * What is selected below a field. `null`: the field is a leaf. Object types have one list of fields; interfaces and
 * unions have one list per possible concrete type.
 */
export type Selection = ObjectSelection | AbstractSelection | WrapperSelection | null

export interface ObjectSelection {
  readonly kind: 'object'
  readonly type: ObjectType
  readonly fields: readonly FieldSelection[]
  /** Of an interface or union: rows of the type are not shown. */
  readonly denied?: string
}

export interface AbstractSelection {
  readonly kind: 'abstract'
  /** By name of the concrete type; every member has an entry, perhaps with no fields. */
  readonly possible: ReadonlyMap<string, ObjectSelection>
}

/**
 * The generated wrappers: `{Type}Connection` (relay) and `{Type}List` (total_count). Their own fields in response
 * order; `nodes` is the selection of the wrapped rows.
 */
export interface WrapperSelection {
  readonly kind: 'connection' | 'list'
  readonly typeName: string
  readonly fields: readonly WrapperField[]
}

export type WrapperField =
  | { readonly field: '__typename' | 'totalCount'; readonly responseKey: string }
  /** `PageInfo` members and `__typename`, in response order. */
  | {
      readonly field: 'pageInfo'
      readonly responseKey: string
      readonly members: readonly { readonly name: string; readonly responseKey: string }[]
    }
  | { readonly field: 'edges'; readonly responseKey: string; readonly members: readonly EdgeMember[] }
  | { readonly field: 'items'; readonly responseKey: string; readonly selection: Selection }

export type EdgeMember =
  | { readonly name: 'cursor' | '__typename'; readonly responseKey: string }
  | { readonly name: 'node'; readonly responseKey: string; readonly selection: Selection }

export type FieldSelection =
  | { readonly kind: 'typename'; readonly responseKey: string }
  /** Null, whatever is stored: what authorize denied. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly field: FieldModel; readonly target: string }
  | {
      readonly kind: 'field'
      readonly responseKey: string
      readonly field: FieldModel
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      /** Null in rows that do not fulfil what authorize said under this target. */
      readonly unless?: string
      /** Nobody asked for it by name: where it is denied it is left out, without an error. */
      readonly optional?: true | undefined
      /** The value is used, not shown: one that is masked in some rows is denied in all, so that no null is taken for it. */
      readonly unmasked?: true | undefined
    }
  /** Numbers about the rows that a relation to many leads to. May always be null. */
  | ({
      readonly kind: 'aggregate'
      readonly responseKey: string
      /** The relation. */
      readonly field: FieldModel
      readonly location: Location | null
      /** Answered with null: what authorize denied. */
      readonly denied?: string
    } & AggregateOf)

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
