import type { SvcError } from '../base/errors/svc-error.ts'
import type { MaybePromise } from '../base/util/promise.ts'
import type { MutationModel, ObjectType, OperationModel, QueryModel } from '../schema/model.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import type { Access } from './access.ts'
import type { AggregateRoot } from './aggregate-of.ts'
import type { Exchange } from './exchange.ts'
import type { RelatedRoot } from './related-root.ts'
import type { Result } from './result.ts'
import type { StreamForm } from './result-stream.ts'
import type { ObjectSelection, Selection } from './selection.ts'
import type { ArgumentNode, Location, ValueNode } from './value-node.ts'
import type { WriteOnce } from './write-once.ts'

export type { AggregateFunction } from '../schema/aggregate-type.ts'
// Re-exported so that code which uses operations needs one import.
export type * from './aggregate-of.ts'
export type * from './related-root.ts'
export type * from './selection.ts'
export type * from './value-node.ts'
export type * from './write-once.ts'

/**
 * An operation, independent of its front. The template is the part that depends on the document alone. Fronts keep templates in a bounded
 * cache and pass the same object again, because the engine keeps plans by its identity.
 */
export interface Operation {
  readonly template: OperationTemplate
  /** Coerced values by variable name; an absent variable has no key. The engine only checks the types of the values. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Result of authorize, set by `scope.engine.run` and `scope.engine.authorize`; absent: no restrictions. Fronts do not set it. */
  readonly access?: Access
  /** Form of a streamed result. Absent: the result is one JSON text. */
  readonly form?: StreamForm | undefined
  /** Maximum number of rows in a batch of a stream; batches of large rows have fewer. Default 500. */
  readonly batchSize?: number | undefined
  /** Rows reported by events, for a subscription or a list query: the answer consists of these rows. */
  readonly changed?: ChangedRows | undefined
  /** Options of a mutation's transaction. Absent: each root field runs in its own transaction. */
  readonly write?: WriteOptions | undefined
}

/**
 * Rows reported by events. They are read again under the rules for the subscriber. The answer is a list as its only root: for each row
 * its data, or null when the row does not exist or the subscriber may not see it.
 */
export interface ChangedRows {
  /** Name of an object type: that of the root, or one that its interface or union includes. */
  readonly type: string
  /** Ids of the rows. Empty: no query runs, but missing claims and other errors of the rules are thrown. */
  readonly ids: readonly string[]
  /**
   * Deleted rows as JSON texts, as in `CommittedWrite.before`. The rules of the schema and of the request are applied to them. When the
   * dialect cannot do so (`readsDocuments`), rows of types with rules are hidden. Row-level security of the database is not applied.
   */
  readonly documents?: readonly string[]
  /**
   * Declared names of further fields to read for each row. The answer has them as members `@name`, unmasked and as they are stored (numbers
   * may be texts). The caller uses them to filter rows and must remove them. Not available for `documents`.
   */
  readonly beside?: readonly string[] | undefined
}

/** Options of the write of a mutation (docs/guides/mutations.md#several-mutations-in-one-request). */
export interface WriteOptions {
  /**
   * Runs all root fields in one transaction. If one fails, nothing is written, `data` is `null`, and the error has the
   * path of that root field.
   */
  readonly atomic?: boolean
  /** Runs everything, returns the result, and rolls back. `afterCommit` hooks do not run. */
  readonly dryRun?: boolean
  /** Returns the written rows as `Result.writes`. */
  readonly tell?: boolean
  /**
   * Runs each root field in a transaction with an explicit COMMIT, never as a single auto-committed statement, so that
   * the outcome is known when the client disconnects.
   */
  readonly certain?: boolean
  /** Conditions for the write. If one fails, nothing is written. */
  readonly preconditions?: readonly Precondition[]
  /**
   * Fails the operation before the write if a field that the client selected by name is denied. The error is the first
   * such denial.
   */
  readonly complete?: boolean
  /** Runs the write at most once, under a key in the database. Requires `atomic`. */
  readonly once?: WriteOnce | undefined
  /** Called once, after the mutation is authorized. A mutation that fails later may have begun. */
  readonly begins?: (() => void) | undefined
}

/**
 * A query that runs in the transaction of a write before its functions are called, with the caller's rights. The transaction uses one
 * snapshot: when another transaction changes a row in between, everything is repeated, query included. Hooks of `mutation:before` and
 * `mutation:after` may therefore run more than once for one write.
 */
export interface Precondition {
  /** The query. Its guards apply; hooks of `resolve` do not run. */
  readonly operation: Operation
  /** Checks the result. A throw rejects the write. */
  check(result: Result): void
}

/** The part of an operation that depends on its document alone. */
export interface OperationTemplate {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** Operation name from the client. Never use it as a metric label. */
  readonly name: string | null
  /** Root fields in response order. `@skip`, `@include` and fragments are resolved; fields with one response key are merged. */
  readonly roots: readonly RootSelection[]
  /** Declared variables, which the planner needs to know those that can be null or absent. */
  readonly variables: readonly VariableDeclaration[]
  /** Set when a root field is a {@link RootCall}. */
  readonly hasCalls?: true
  /** Denied parts of the document; their selections have `denied`. Absent: nothing is denied. */
  readonly masked?: Masked
  /** Called by the engine with the change in bytes of the template's plans, so that the owner of the cache can weigh it. */
  readonly onPlanned?: ((bytes: number) => void) | undefined
}

/** Denied parts of an operation. */
export interface Masked {
  /** Paths of the denied parts. Each causes one error. */
  readonly places: readonly MaskedPath[]
  /** `true`: a non-null root field is denied, so that the operation does not run. */
  readonly fails: boolean
}

export interface MaskedPath {
  /** Response keys from the root down, without list indexes. */
  readonly path: readonly string[]
  /** Denied type or field: a key of `Access.denied`. */
  readonly target: string
  readonly location: Location | null
}

/** Guards of a root field: the options of an operation of the schema that restrict its callers. */
export type RootGuard = Pick<
  OperationModel,
  'public' | 'authenticated' | 'apiKeyRequired' | 'requiresRole' | 'requiresScope' | 'requiresPolicy'
>

/** A root field that a plugin resolves. It passes authorize and resolve like any other root field. */
export interface RootCall {
  /** Wire name of the root field. */
  readonly name: string
  readonly guard: RootGuard
  readonly nullable: boolean
  readonly location: Location | null
  /**
   * Computes the value of the root field.
   * @returns the value as JSON text, `null` when a non-null part of it is null, and errors with their paths
   */
  run(exchange: Exchange, variables: Operation['variables']): MaybePromise<CallResult>
}

export interface CallResult {
  readonly text: string | null
  readonly errors: readonly SvcError[]
}

export interface VariableDeclaration {
  readonly name: string
  readonly type: TypeRef
  /** Coerced default; `undefined`: none. */
  readonly default: unknown
}

/** A root field. */
export type RootSelection =
  | {
      readonly kind: 'operation'
      readonly responseKey: string
      readonly operation: OperationModel
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      /** Target that authorize denied: the answer is null. */
      readonly denied?: string
      /** Reads one row more than the `limit` of a list, so that `rootsOf` can tell whether there is a next page. */
      readonly lookAhead?: true | undefined
    }
  /** `__typename` of the operation's root type. */
  | { readonly kind: 'typename'; readonly responseKey: string; readonly typeName: string }
  /** The root field `node(id: ID!)` of relay. */
  | {
      readonly kind: 'node'
      readonly responseKey: string
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      readonly denied?: string
    }
  | RowsRoot
  | RelatedRoot
  | AggregateRoot
  /**
   * JSON that the front has computed, for example introspection. With `call`, the result of the call instead.
   */
  | { readonly kind: 'literal'; readonly responseKey: string; readonly json: string; readonly call?: RootCall }

/**
 * Root field that reads rows of a type by keys. The response is a list in the order of the keys, with null for an
 * invalid key and for a row that does not exist or is hidden.
 */
export interface RowsRoot {
  readonly kind: 'rows'
  readonly responseKey: string
  readonly type: ObjectType
  /** A list of keys; of lists of values when `by` is a list. More keys than `svc.max_rows` are an error. */
  readonly keys: ValueNode
  /** Wire name of the key field, or names of the fields of a compound key; `study.number` for a field of an object. Default `id`. */
  readonly by?: string | readonly string[] | undefined
  /** One object per key, by wire names: the input of fields with `sql`. Without it such fields are null. */
  readonly supplied?: ValueNode | undefined
  /** The type can be read by keys although no query returns it. Then only the rules of the type apply. */
  readonly open?: true | undefined
  /** Query whose guards and row rules apply. Default: the guards of all queries that return the type, and the rules of `node`. */
  readonly query?: QueryModel | undefined
  readonly selection: ObjectSelection
  readonly location: Location | null
  /** Denied type or field, from `authorize`: the response is null. */
  readonly denied?: string
  /** JSON text of a list of source rows, which are used instead of the source. */
  readonly documents?: ValueNode | undefined
}

export type QueryRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: QueryModel }
export type MutationRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: MutationModel }
