import type { CallResult, Location, VariableDeclaration } from '../../../core/doors/front.ts'
import type {
  Exchange,
  MaybePromise,
  ObjectSelection,
  Operation,
  RootGuard,
  RootSelection,
} from '../../../core/doors/plugin.ts'

/** A root field of a plugin. It returns a value (`resolve`), or rows of types of the schema (`answer`). */
export type ExtensionRoot = ExtensionField & (ValueRoot | RowsAnswer)

interface ExtensionField {
  readonly kind: 'query' | 'mutation'
  /** Definition of the field in SDL: `labels(type: String): [Label!]!`. */
  readonly field: string
  /** Access rules, as for operations of the schema. Default: `security.default_policy`. */
  readonly guard?: Partial<RootGuard>
}

export interface ValueRoot {
  /**
   * Returns the value as JSON. Selected fields are read from it by name; `__typename` names the type of an interface or
   * union. An error that it throws is the error of this field.
   */
  readonly resolve: (ctx: Exchange, args: Readonly<Record<string, unknown>>) => MaybePromise<unknown>
  readonly answer?: never
}

export interface RowsAnswer {
  /**
   * Returns the JSON text of the field for the response, from the results of operations that the plugin ran with `scope.engine.run`. The
   * field returns types of the schema, so clients can select relations, arguments and fragments below it.
   * @returns `text: null` for null; errors with their path
   */
  readonly answer: (
    ctx: Exchange,
    args: Readonly<Record<string, unknown>>,
    requested: RequestedRows,
  ) => MaybePromise<CallResult>
  readonly resolve?: never
}

/** The selection of a document below a plugin's root field. */
export interface RequestedRows {
  readonly responseKey: string
  readonly location: Location | null
  /**
   * Returns the selection of a type of the schema, for root fields of the plugin (`rows`). All requests of a document get
   * the same object, which can be the key of a cached template.
   * @returns `null` when the field returns no objects of this type
   */
  selectionOf(typeName: string): ObjectSelection | null
  /**
   * Makes an operation with further roots and the variables of the document.
   * @param make returns the roots; called once per document and `key`
   * @param more values of the variables that `make` declares
   */
  toOperation(key: string, make: () => RequestedRoots, more?: Operation['variables']): Operation
}

export interface RequestedRoots {
  readonly roots: readonly RootSelection[]
  /** Variables that the plugin adds. Their names begin with `@`, which is not allowed in GraphQL names. */
  readonly variables?: readonly VariableDeclaration[]
}

/** The fields, types and directives that a plugin adds to the GraphQL schema. */
export interface GraphQLExtension {
  readonly roots?: readonly ExtensionRoot[]
  /** Type definitions in SDL. They may refer to each other and to types of the schema. */
  readonly types?: string
  /** Definitions of directives that documents may use. A `graphql:prepared` hook finds them in the document. */
  readonly directives?: string
}
