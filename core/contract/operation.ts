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
 * A query, mutation or subscription, independent of the protocol that it arrived in. The template depends only on the
 * document, the other members on the request. Pass the same template object for the same document, because the engine
 * caches plans by its identity.
 */
export interface Operation {
  readonly template: OperationTemplate
  /** Values of the variables by name, converted to their types. An absent variable has no key. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Restrictions from the `authorize` hooks. `scope.engine` sets them; protocol plugins do not. Absent: none. */
  readonly access?: Access
  /** Form of the rows when the result is streamed (`Result.stream`). Absent: the result is one JSON text. */
  readonly form?: StreamForm | undefined
  /** Maximum number of rows in a batch of a streamed result; batches of large rows have fewer. Default 500. */
  readonly batchSize?: number | undefined
  /** Changed rows that an event reported. The operation, a subscription or list query, returns only these rows. */
  readonly changed?: ChangedRows | undefined
  /** How a mutation writes. Absent: each root field runs in its own transaction. */
  readonly write?: WriteOptions | undefined
}

/**
 * Rows whose changes an event reported. They are read again under the access rules of the subscriber. The result has
 * one root field with a list: for each row its data, or null if the row does not exist or the subscriber may not see
 * it.
 */
export interface ChangedRows {
  /** Name of the rows' object type: the type of the root field, or a member of its interface or union. */
  readonly type: string
  /**
   * Ids of the changed rows. Empty: no query runs, but the access rules are checked, for example for missing claims.
   */
  readonly ids: readonly string[]
  /**
   * Deleted rows as JSON texts, in the form of `CommittedWrite.before`. The row rules of the schema and of the request
   * are applied to them; if the dialect cannot do so (`readsDocuments`), rows of types with rules are hidden. Row-level
   * security of the database is not applied.
   */
  readonly documents?: readonly string[]
  /**
   * Declared names of further fields to read for each row, so that the caller can filter the rows. The result has them
   * as members `@name`, unmasked and as they are stored (numbers may be texts); the caller must remove them. Not
   * available for `documents`.
   */
  readonly beside?: readonly string[] | undefined
}

/** How a mutation writes to the database (docs/guides/mutations.md#several-mutations-in-one-request). */
export interface WriteOptions {
  /**
   * `true`: runs all root fields in one transaction. If one fails, nothing is written, `data` is `null`, and the error
   * has the path of that root field.
   */
  readonly atomic?: boolean
  /** `true`: runs the mutation, returns the result, and rolls the transaction back. `afterCommit` hooks do not run. */
  readonly dryRun?: boolean
  /** `true`: the result lists the written rows (`Result.writes`). */
  readonly tell?: boolean
  /**
   * `true`: runs each root field in a transaction with an explicit COMMIT, never as a single auto-committed statement.
   * The outcome is then known even when the client disconnects.
   */
  readonly certain?: boolean
  /** Conditions on the stored rows, such as `If-Match` of HTTP. If one fails, nothing is written. */
  readonly preconditions?: readonly Precondition[]
  /**
   * `true`: fails before the write if a field that the client selected by name is denied, with the first such denial.
   */
  readonly complete?: boolean
  /** Makes the write happen at most once, under an idempotency key that the database stores. Requires `atomic`. */
  readonly once?: WriteOnce | undefined
  /** Called once, when the mutation is authorized. A mutation that fails afterwards may have written something. */
  readonly begins?: (() => void) | undefined
}

/**
 * A query that runs in the transaction of a write, with the caller's rights, before the write's database functions are
 * called. If another transaction changes a row that was read, the whole transaction is repeated. Hooks of
 * `mutation:before` and `mutation:after` may therefore run more than once for one write.
 */
export interface Precondition {
  /** The query to run. Its access rules apply, but hooks of `resolve` do not run. */
  readonly operation: Operation
  /** Checks the result of the query. A throw rejects the write with its error. */
  check(result: Result): void
}

/** The part of an operation that depends only on its document. Requests with the same document share it. */
export interface OperationTemplate {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /**
   * Name that the client gave its operation. Do not use it as a metric label, because clients choose it. `null`: none.
   */
  readonly name: string | null
  /**
   * Root fields in response order. `@skip`, `@include` and fragments are applied, and equal response keys are merged.
   */
  readonly roots: readonly RootSelection[]
  /** Declared variables. The planner needs their types to know which values can be null or absent. */
  readonly variables: readonly VariableDeclaration[]
  /** `true` if a plugin computes the value of at least one root field ({@link RootCall}). */
  readonly hasCalls?: true
  /** The parts of the operation that `authorize` denied. Absent: nothing is denied. */
  readonly masked?: Masked
  /** Called with the change in bytes when the engine caches or drops plans, so that the owner can limit memory. */
  readonly onPlanned?: ((bytes: number) => void) | undefined
}

/** The parts of an operation that `authorize` denied. */
export interface Masked {
  /** Paths of the denied fields in the response. Each causes one error. */
  readonly places: readonly MaskedPath[]
  /** `true`: a non-null root field is denied, so the response has no data and nothing is executed. */
  readonly fails: boolean
}

export interface MaskedPath {
  /** Response keys from the root down, without list indexes. */
  readonly path: readonly string[]
  /** The denied type or field, as a key of `Access.denied`: `User.email`. */
  readonly target: string
  readonly location: Location | null
}

/**
 * The options of a query or mutation in the schema that restrict who may call it: `authenticated`, `requiresRole`, …
 */
export type RootGuard = Pick<
  OperationModel,
  'public' | 'authenticated' | 'apiKeyRequired' | 'requiresRole' | 'requiresScope' | 'requiresPolicy'
>

/** A root field whose value a plugin computes. Hooks of `authorize` and `resolve` run for it as for any other. */
export interface RootCall {
  /** Name of the root field in the API. */
  readonly name: string
  readonly guard: RootGuard
  readonly nullable: boolean
  readonly location: Location | null
  /**
   * Computes the value of the root field.
   * @returns the value as JSON text, and errors with their paths. The text is `null` if a non-null part of the value is
   *   null
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
  /** Default value of the variable, converted to its type; `undefined`: none. */
  readonly default: unknown
}

/** A root field of an operation, as the client selected it. The kinds differ in how the engine computes the value. */
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
 * A root field that reads rows of one type by keys. Its value is a list in the order of the keys, with null for an
 * invalid key, and for a row that does not exist or is hidden from the caller.
 */
export interface RowsRoot {
  readonly kind: 'rows'
  readonly responseKey: string
  readonly type: ObjectType
  /** List of keys; a compound key is a list of values. More keys than `svc.max_rows` are an error. */
  readonly keys: ValueNode
  /**
   * API name of the key field (default `id`), or of the fields of a compound key. `study.number`: a field of an object.
   */
  readonly by?: string | readonly string[] | undefined
  /** One object per key, with values for fields that the schema computes (option `sql`). Absent: they are null. */
  readonly supplied?: ValueNode | undefined
  /** `true`: rows may be read even if no query returns the type. Then only the row rules of the type apply. */
  readonly open?: true | undefined
  /** Query whose guards (scopes, roles) and row rules apply. Default: guards of all queries, row rules of `node`. */
  readonly query?: QueryModel | undefined
  readonly selection: ObjectSelection
  readonly location: Location | null
  /**
   * Type or field that an `authorize` hook denied; the value of the root field is then null. Absent: nothing is denied.
   */
  readonly denied?: string
  /** JSON text of a list of rows to use instead of those in the type's view or table. */
  readonly documents?: ValueNode | undefined
}

export type QueryRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: QueryModel }
export type MutationRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: MutationModel }
