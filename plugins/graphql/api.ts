import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { CallResult, Location, VariableDeclaration } from '../../core/doors/front.ts'
import type {
  Exchange,
  Generation,
  HttpExchange,
  MaybePromise,
  ObjectSelection,
  Operation,
  Reply,
  RootGuard,
  RootSelection,
  SchemaModel,
} from '../../core/doors/plugin.ts'
import type { RenderedError } from './http/respond.ts'
import type {} from './options.ts'

/** For plugins that read documents: the copy of the `graphql` package that parsed them. */
export {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  type InputObjectTypeDefinitionNode,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  type TypeNode,
  visit,
} from 'graphql'
/** Tests whether a field that returns an object reads all rows of a list, by the `extensions` of its definition. */
export { aggregateFieldsOf } from './aggregates/aggregate-fields.ts'
export { readsRows } from './aggregates/reads-rows.ts'
/** The error of `prepare` for an invalid document. It contains all faults. */
export { DocumentErrors } from './document/document-errors.ts'
export { wantsHtml } from './http/media-types.ts'
/** An entry of `errors` as it is sent to clients. */
export type { RenderedError }

/** The parameters of a GraphQL request, over any transport. */
export interface GraphQLRequest {
  readonly query: string | null
  /** A number that a double cannot represent exactly is an `ExactNumber`. */
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  readonly extensions: Readonly<Record<string, unknown>> | null
  /** Further fields of clients with stored documents: `id`, `documentId`, `doc_id`. */
  readonly other: Readonly<Record<string, unknown>>
  /**
   * Called when the document has passed validation and all `graphql:prepared` hooks, in this request or an earlier one,
   * before the operation runs. A hook that sets it has to call the previous one.
   */
  readonly accepted?: () => void
}

/** A root field of a plugin. It returns a value (`resolve`), or rows of types of the schema (`answer`). */
export type ExtensionRoot = ExtensionField & (ValueRoot | RowsAnswer)

interface ExtensionField {
  readonly kind: 'query' | 'mutation'
  /** The field in GraphQL's notation: `labels(type: String): [Label!]!`. */
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
   * Gives JSON text as it stands in the response, made of what `scope.engine.run` gave for an operation of the plugin's own. The types
   * below the field are the schema's; with all that they select: relations, arguments, fragments.
   * @returns `text: null` where a null stands; errors with their path
   */
  readonly answer: (
    ctx: Exchange,
    args: Readonly<Record<string, unknown>>,
    asked: AskedRows,
  ) => MaybePromise<CallResult>
  readonly resolve?: never
}

/** The selection of a document below a root field of a plugin. */
export interface AskedRows {
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
  toOperation(key: string, make: () => AskedRoots, more?: Operation['variables']): Operation
}

export interface AskedRoots {
  readonly roots: readonly RootSelection[]
  /** Variables of the plugin. Their names begin with `@`, which is no name in GraphQL. */
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

/**
 * Called after an HTTP request was read.
 * @returns a function that returns the JSON text of the member when the reply is written; `null`: no member
 */
export type BeginExtension = (ctx: HttpExchange) => ((errors: readonly RenderedError[]) => string) | null

/** A document that has just passed validation. */
export interface PreparedDocumentEvent {
  readonly text: string
  /** The syntax tree, of the `graphql` package. */
  readonly document: DocumentNode
  /** The schema that it was validated against. Types are built at the first access, so access single types by name. */
  readonly schema: GraphQLSchema
  readonly generation: Generation
}

/** The functions of the GraphQL front for plugins that depend on it. */
export interface GraphQLApi {
  readonly endpoint: string
  /**
   * A request as an operation, through `graphql:document`, parser, validation and variables: for entrances of other
   * transports, which hand the operation to `scope.engine.run`.
   * @throws what {@link GraphQLApi.renderErrors} reads
   */
  prepare(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation>
  /**
   * Reads the parameters of a request from the payload of a message.
   * @throws SvcError REQUEST_ERROR
   */
  readRequest(fields: Readonly<Record<string, unknown>>): GraphQLRequest
  /**
   * Reads the parameters of an HTTP request, by GET or POST.
   * @throws SvcError REQUEST_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
   */
  readHttpRequest(ctx: HttpExchange): MaybePromise<GraphQLRequest>
  /**
   * Reads a document as for a request: with the same cache, validation and hooks.
   * @returns its syntax tree, and the schema that it was validated against
   * @throws errors for {@link GraphQLApi.renderErrors}
   */
  read(ctx: Exchange, text: string): MaybePromise<Pick<PreparedDocumentEvent, 'document' | 'schema'>>
  /**
   * Prepares and plans all operations of a document, for a caller without restrictions, and caches it for later requests.
   * Nothing runs, and no access is checked.
   * @throws errors for {@link GraphQLApi.renderErrors}
   */
  check(ctx: Exchange, text: string): Promise<void>
  /** Converts a thrown value, or the errors of a result, to `errors` as clients see them. */
  renderErrors(ctx: Exchange, error: unknown): readonly RenderedError[]
  /** Sets the handler of `GET` with `Accept: text/html` and no query (a query editor). For one plugin, during set-up. */
  serveHtml(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /** Sets the handler of requests whose `Accept` prefers `text/event-stream`. For one plugin, during set-up. */
  serveEvents(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /** Adds the subscriptions to the schema. The plugin that serves them calls it during set-up. */
  enableSubscriptions(): void
  /**
   * Extends the GraphQL schema of every generation. Call it during set-up. A conflict with the schema fails the boot; a
   * reload then keeps the old schema.
   * @param plugin name of the plugin: `scope.plugin`
   * @param extension the extension, or a function that makes it for a schema
   */
  extend(plugin: string, extension: GraphQLExtension | ((schema: SchemaModel) => GraphQLExtension)): void
  /**
   * Adds a member to `extensions` of HTTP replies, of results and of failed requests. Streams, and requests that could not
   * be read, have none. Call it during set-up.
   * @throws SvcError SVC_PROVIDE_DUPLICATE
   */
  extendAnswers(name: string, begin: BeginExtension): void
  /** Prints the schema of a generation in SDL, as introspection shows it, sorted by names. */
  printSchema(generation: Generation): string
}

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    graphql: GraphQLApi
  }
  interface Stages {
    /**
     * Kind around. Wraps the conversion of a request to an operation: stored document, parser, validation, variables. For
     * observers such as tracing. It is fast when the document is cached.
     */
    'graphql:prepare': {
      kind: 'around'
      handler: (ctx: Exchange, request: GraphQLRequest, next: () => MaybePromise<Operation>) => MaybePromise<Operation>
    }
    /**
     * Kind waterfall. Gets every GraphQL request before its document is looked up, and may return another request, as
     * plugins for stored documents do. A throw refuses the request.
     */
    'graphql:document': {
      kind: 'waterfall'
      handler: (request: GraphQLRequest, ctx: Exchange) => MaybePromise<GraphQLRequest | undefined>
    }
    /**
     * Kind series. Runs once per document, after validation and before its first operation runs. Plugins that store
     * documents do it here. A throw refuses the document.
     */
    'graphql:prepared': {
      kind: 'series'
      handler: (prepared: PreparedDocumentEvent, ctx: Exchange) => MaybePromise<void>
    }
    /**
     * Kind series. Runs once per batch (a list of requests in one body), before its first request. A throw refuses the whole batch.
     */
    'graphql:batch': {
      kind: 'series'
      handler: (batch: { readonly templates: readonly Operation['template'][] }, ctx: Exchange) => MaybePromise<void>
    }
  }
}
