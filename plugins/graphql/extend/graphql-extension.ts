import type { CallResult, Location, VariableDeclaration } from '../../../core/doors/front.ts'
import type {
  Exchange,
  MaybePromise,
  ObjectSelection,
  Operation,
  RootGuard,
  RootSelection,
} from '../../../core/doors/plugin.ts'

/** A GraphQL root field that a plugin adds. `resolve` returns a value; `answer` returns rows of types of the schema. */
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
   * Returns the value of the field. Selected members are read from it by name, and `__typename` in it names the type
   * for an interface or union. An error that it throws becomes the error of this field.
   * @returns a JSON value
   */
  readonly resolve: (ctx: Exchange, args: Readonly<Record<string, unknown>>) => MaybePromise<unknown>
  readonly answer?: never
}

export interface RowsAnswer {
  /**
   * Returns the value of a field whose type is a type of the schema. The plugin reads the rows with `scope.engine.run`,
   * and clients can select relations and use arguments and fragments below the field.
   * @returns `text`: the JSON text of the value, `null` for null; `errors`: errors with their paths
   */
  readonly answer: (
    ctx: Exchange,
    args: Readonly<Record<string, unknown>>,
    requested: RequestedRows,
  ) => MaybePromise<CallResult>
  readonly resolve?: never
}

/** The selection of a document below a plugin's root field, for the operation with which the plugin reads the rows. */
export interface RequestedRows {
  readonly responseKey: string
  readonly location: Location | null
  /**
   * Returns the selected fields of an object type, for a root field of kind `rows`. The same object is returned for
   * each request of a document, so it can be the key of a cache.
   * @returns `null` when the field returns no objects of this type
   */
  selectionOf(typeName: string): ObjectSelection | null
  /**
   * Makes an operation that reads rows for the plugin's field and has the variables of the document.
   * @param key cache key of the result of `make`, within the document
   * @param make returns the root fields; called once per document and `key`
   * @param more values of the variables that `make` declares
   */
  toOperation(key: string, make: () => RequestedRoots, more?: Operation['variables']): Operation
}

export interface RequestedRoots {
  readonly roots: readonly RootSelection[]
  /**
   * Further variables of the operation. Their names begin with `@`, so that they differ from variables of the document.
   */
  readonly variables?: readonly VariableDeclaration[]
}

/** The fields, types and directives that a plugin adds to the GraphQL schema. */
export interface GraphQLExtension {
  readonly roots?: readonly ExtensionRoot[]
  /** Type definitions in SDL. They may refer to each other and to types of the schema. */
  readonly types?: string
  /** Definitions of directives in SDL that documents may use. A `graphql:prepared` hook finds them in the document. */
  readonly directives?: string
}
