import type { DocumentNode, GraphQLSchema } from 'graphql'
import type {
  Exchange,
  Generation,
  HttpExchange,
  MaybePromise,
  Operation,
  Reply,
  SchemaModel,
} from '../../core/doors/plugin.ts'
import type { GraphQLExtension } from './extend/graphql-extension.ts'
import type { GraphQLRequest } from './http/read-request.ts'
import type { BeginExtension, RenderedError } from './http/respond.ts'
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
export type * from './extend/graphql-extension.ts'
export { wantsHtml } from './http/media-types.ts'
export type { GraphQLRequest } from './http/read-request.ts'
export type { BeginExtension } from './http/respond.ts'
/** An entry of `errors` as it is sent to clients. */
export type { RenderedError }

/** Event of a document that has just passed validation. */
export interface PreparedDocumentEvent {
  readonly text: string
  /** The syntax tree, of the `graphql` package. */
  readonly document: DocumentNode
  /**
   * The schema that the document was validated against. Types are built on first access, so access single types by
   * name.
   */
  readonly schema: GraphQLSchema
  readonly generation: Generation
}

/** The functions of the GraphQL front for plugins that depend on it. */
export interface GraphQLApi {
  readonly endpoint: string
  /**
   * Converts a request to an operation, through `graphql:document`, parser, validation and variables. For plugins with
   * other transports, which pass the operation to `scope.engine.run`.
   * @throws errors for {@link GraphQLApi.renderErrors}
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
   * Reads a document like that of a request: with the same cache, validation and hooks.
   * @returns the syntax tree, and the schema that it was validated against
   * @throws errors for {@link GraphQLApi.renderErrors}
   */
  read(ctx: Exchange, text: string): MaybePromise<Pick<PreparedDocumentEvent, 'document' | 'schema'>>
  /**
   * Prepares and plans all operations of a document, for a caller without restrictions, and caches the result for later
   * requests. Nothing is executed, and no access is checked.
   * @throws errors for {@link GraphQLApi.renderErrors}
   */
  check(ctx: Exchange, text: string): Promise<void>
  /** Converts a thrown value, or the errors of a result, to entries of `errors` in the response. */
  renderErrors(ctx: Exchange, error: unknown): readonly RenderedError[]
  /** Sets the handler of `GET` with `Accept: text/html` and no query (a query editor). For one plugin, during set-up. */
  serveHtml(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /**
   * Sets the handler for requests whose `Accept` header prefers `text/event-stream`. Only one plugin may call this,
   * during set-up.
   */
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
  /** Prints the schema of a generation in SDL, as introspection returns it, sorted by names. */
  printSchema(generation: Generation): string
}

// All plugins augment the module under this path: TypeScript ignores augmentations of one interface under a second path.
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
