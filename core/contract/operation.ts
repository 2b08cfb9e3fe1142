import type { SvcError } from '../errors/svc-error.ts'
import type { MutationModel, ObjectType, OperationModel, QueryModel } from '../schema/model.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import type { MaybePromise } from '../util/promise.ts'
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
// Whoever speaks of operations speaks of their parts.
export type * from './aggregate-of.ts'
export type * from './related-root.ts'
export type * from './selection.ts'
export type * from './value-node.ts'
export type * from './write-once.ts'

/**
 * One operation, independent of the front that read it. The template is the part that depends on the document alone;
 * fronts keep templates in a bounded cache and hand the same object in again, because the engine keeps plans by its identity.
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
  /** Of a subscription, or of a query that gives a list: the rows that events tell of, which are its answer. */
  readonly told?: ToldRows | undefined
  /** How a mutation is to be carried out; absent: each root in its own transaction. */
  readonly write?: WriteManner | undefined
}

/**
 * Rows that events tell of. They are read anew, under the rules that hold for who subscribed; the answer has a list in the
 * place of the only root: a row, or null for one that is not there, or that the subscriber may not see.
 */
export interface ToldRows {
  /** Name of an object type: the root's, or one that belongs to it. */
  readonly type: string
  /** None: the database is not asked, and the caller learns whether rows of the type could be read at all (a claim may be missing). */
  readonly ids: readonly string[]
  /**
   * The rows as they were, where they are gone: JSON texts, as `CommittedWrite.before`. The rules of the schema and of this
   * request are laid on them as on stored ones (where the dialect does not read them, `readsDocuments`, rows with rules are not shown); what the
   * database itself hides, row-level security, it does not look at here.
   */
  readonly documents?: readonly string[]
  /**
   * Fields of the type, by declared name, that each row has beside what was selected, in the same read: as members `@name`, as they are
   * stored (numbers may be texts), whatever is masked. For whoever decides about a row, and takes them out before it is shown. Not of `documents`.
   */
  readonly beside?: readonly string[] | undefined
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
  /** Nothing is written where something that is selected by name is denied: the answer has all of it, or is the error of the first. */
  readonly complete?: boolean
  /** Write this at most once, under a key that stands in the database. Only with `atomic`. */
  readonly once?: WriteOnce | undefined
  /** Called once, when the caller may do this: what is refused later may have been begun. */
  readonly begins?: (() => void) | undefined
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
  | RelatedRoot
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
  /**
   * Wire name of the field that they are keys of, or of those that make up a key together; `study.number` for a field of an
   * object. Default `id`.
   */
  readonly by?: string | readonly string[] | undefined
  /** Beside each key an object by wire names: what fields with `sql` are computed of. Without it they are null. */
  readonly given?: ValueNode | undefined
  /** The type may be asked for by its keys as it is: where no query gives it, its own rules are all that hold. */
  readonly open?: true | undefined
  /** Whose guards and rules hold. Default: the guards of all queries that give the type, and the rules of `node`. */
  readonly query?: QueryModel | undefined
  readonly selection: ObjectSelection
  readonly location: Location | null
  /** Answered with null: what authorize denied. */
  readonly denied?: string
  /** JSON text of a list of rows as the source has them, which are read in the place of the source. */
  readonly documents?: ValueNode | undefined
}

export type QueryRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: QueryModel }
export type MutationRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: MutationModel }
