import type { SvcError } from '../errors/svc-error.ts'
import type { FieldModel, MutationModel, ObjectType, OperationModel, QueryModel } from '../schema/model.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import type { Exchange } from './exchange.ts'

type MaybePromise<T> = T | Promise<T>

/**
 * One operation, independent of the front that read it. The template is the part that depends on the document alone;
 * fronts keep templates in a bounded cache and hand the same object in again, because plans hang on its identity.
 */
export interface Operation {
  readonly template: OperationTemplate
  /** Coerced values by variable name; an absent variable has no key. Never trusted further than its type. */
  readonly variables: Readonly<Record<string, unknown>>
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
  /** Told by the engine how many bytes of plans have come to hang on it (fewer: negative); who keeps it weighs them. */
  readonly onPlanned?: ((bytes: number) => void) | undefined
}

/** Who may ask for a root: the options that an operation of the schema has. */
export type RootGuard = Pick<
  OperationModel,
  'public' | 'authenticated' | 'apiKeyRequired' | 'requiresRole' | 'requiresScope'
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
    }
  /**
   * JSON that the front has already computed (introspection), put in as it stands; or what a call gives, in the place
   * of it.
   */
  | { readonly kind: 'literal'; readonly responseKey: string; readonly json: string; readonly call?: RootCall }

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
  | {
      readonly kind: 'field'
      readonly responseKey: string
      readonly field: FieldModel
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
    }

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
