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

/** Event of the hook `graphql:prepared`: a document has passed validation, for the first time in this process. */
export interface PreparedDocumentEvent {
  readonly text: string
  /** Syntax tree of the document, as the `graphql` package parses it. */
  readonly document: DocumentNode
  /**
   * GraphQL schema that the document was validated against. It makes types at their first use, so access single types
   * by name.
   */
  readonly schema: GraphQLSchema
  readonly generation: Generation
}

/** API of the GraphQL plugin for plugins that depend on it. */
export interface GraphQLApi {
  readonly endpoint: string
  /**
   * Parses, validates and prepares a GraphQL request, and runs the hook `graphql:document`. For plugins with other
   * transports, which pass the result to `scope.engine.run`.
   * @throws errors that {@link GraphQLApi.renderErrors} renders
   */
  prepare(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation>
  /**
   * Validates the parameters of a GraphQL request that came as an object, such as a WebSocket payload.
   * @throws SvcError REQUEST_ERROR
   */
  readRequest(fields: Readonly<Record<string, unknown>>): GraphQLRequest
  /**
   * Reads the parameters of a GraphQL request from the query string (GET) or the JSON body (POST).
   * @throws SvcError REQUEST_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
   */
  readHttpRequest(ctx: HttpExchange): MaybePromise<GraphQLRequest>
  /**
   * Parses and validates a document with the same cache, validation rules and hooks as for a request.
   * @returns the syntax tree, and the GraphQL schema that it was validated against
   * @throws errors that {@link GraphQLApi.renderErrors} renders
   */
  read(ctx: Exchange, text: string): MaybePromise<Pick<PreparedDocumentEvent, 'document' | 'schema'>>
  /**
   * Prepares and plans all operations of a document, and caches the plans for later requests. It executes nothing and
   * checks no access rules.
   * @throws errors that {@link GraphQLApi.renderErrors} renders
   */
  check(ctx: Exchange, text: string): Promise<void>
  /**
   * Converts an error to entries of `errors` in a GraphQL response.
   * @param error a thrown value; an error with several errors in it yields an entry for each
   */
  renderErrors(ctx: Exchange, error: unknown): readonly RenderedError[]
  /**
   * Sets the handler of `GET` requests with `Accept: text/html` and no query, such as a query editor. Only one plugin
   * may call it, during set-up.
   */
  serveHtml(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /**
   * Sets the handler of requests whose `Accept` header prefers `text/event-stream`. Only one plugin may call it, during
   * set-up.
   */
  serveEvents(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /**
   * Adds the type `Subscription` to the GraphQL schema. The plugin that serves subscriptions calls it during set-up.
   */
  enableSubscriptions(): void
  /**
   * Adds fields, types and directives to the GraphQL schema. Call it during set-up. A conflict with the schema stops
   * the start; on a reload, svc keeps the old schema.
   * @param plugin name of the calling plugin: `scope.plugin`
   * @param extension the definitions, or a function that makes them for each loaded schema
   */
  extend(plugin: string, extension: GraphQLExtension | ((schema: SchemaModel) => GraphQLExtension)): void
  /**
   * Adds a member to `extensions` of GraphQL responses over HTTP, including failed requests. Streams and malformed
   * requests have none. Call it during set-up.
   * @param name name of the member
   * @throws SvcError SVC_PROVIDE_DUPLICATE when another plugin adds this member
   */
  extendAnswers(name: string, begin: BeginExtension): void
  /**
   * Prints the GraphQL schema of a generation (one loaded schema) in SDL, as introspection shows it, sorted by names.
   */
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
