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
import type { GraphQLOptions } from './options.ts'

/** For plugins that read documents: the one copy of the `graphql` package that made them. */
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
/** Does a field read all rows of a list, though it shows an object? By the `extensions` of its definition. */
export { aggregateFieldsOf } from './aggregates/aggregate-fields.ts'
export { readsRows } from './aggregates/reads-rows.ts'
/** What `prepare` throws of a document that is not valid: all of its faults. */
export { DocumentErrors } from './document/document-errors.ts'
export { wantsHtml } from './http/media-types.ts'
/** One entry of `errors`, as clients get it. */
export type { RenderedError }

/** The parameters of a GraphQL request, however it came. */
export interface GraphQLRequest {
  readonly query: string | null
  /** A number that no double holds is an `ExactNumber`. */
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  readonly extensions: Readonly<Record<string, unknown>> | null
  /** `id`, `documentId`, `doc_id`: what clients of stored documents send beside the fields above. */
  readonly other: Readonly<Record<string, unknown>>
  /**
   * Called when the document has passed validation and what hooks `graphql:prepared`, in this request or before, and the
   * operation has not begun. A hook that sets it calls the one that it found.
   */
  readonly accepted?: () => void
}

/** A root field that a plugin answers: by a value (`resolve`), or with rows of the schema's types (`answer`). */
export type ExtensionRoot = ExtensionField & (ValueRoot | RowsAnswer)

interface ExtensionField {
  readonly kind: 'query' | 'mutation'
  /** The field in GraphQL's notation: `labels(type: String): [Label!]!`. */
  readonly field: string
  /** Who may ask. Default: `security.default_policy` decides. Its rules are those of the schema's own operations. */
  readonly guard?: Partial<RootGuard>
}

export interface ValueRoot {
  /**
   * Gives the value, as JSON has it; what is selected of it is taken by name. An abstract type is told by `__typename`.
   * What it throws is the error of this field.
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

/** What a document asks for below a root of a plugin. */
export interface AskedRows {
  readonly responseKey: string
  readonly location: Location | null
  /**
   * What is selected of objects of a type of the schema, for roots of the plugin's own (`rows`). The same object for every
   * request of one document, so that a template may be kept by it.
   * @returns `null`: the field gives no such objects
   */
  selectionOf(typeName: string): ObjectSelection | null
  /**
   * An operation with these roots that knows the document's variables.
   * @param roots those that `make` gives, once per document and `key`
   * @param more values of variables of the plugin's own, which `make` declares
   */
  toOperation(key: string, make: () => AskedRoots, more?: Operation['variables']): Operation
}

export interface AskedRoots {
  readonly roots: readonly RootSelection[]
  /** Variables of the plugin's own. Their names begin with `@`, which no client can write. */
  readonly variables?: readonly VariableDeclaration[]
}

/** What a plugin adds to the GraphQL schema. */
export interface GraphQLExtension {
  /** Root fields by what they are. */
  readonly roots?: readonly ExtensionRoot[]
  /** Definitions of types, in GraphQL's notation. They may name each other and the types of the schema. */
  readonly types?: string
  /** Definitions of directives that documents may use; a hook of `graphql:prepared` finds them in the document. */
  readonly directives?: string
}

/**
 * Called when a request has been read over HTTP.
 * @returns what gives the JSON text of the member when the answer is written; `null`: this answer has none
 */
export type BeginExtension = (ctx: HttpExchange) => ((errors: readonly RenderedError[]) => string) | null

/** A document that has just passed validation. */
export interface PreparedDocumentEvent {
  readonly text: string
  /** The syntax tree, of the `graphql` package. */
  readonly document: DocumentNode
  /** What it was validated against. Its types are made as they are asked for, so ask by name. */
  readonly schema: GraphQLSchema
  readonly generation: Generation
}

/** What the GraphQL front gives to the plugins that depend on it. */
export interface GraphQLApi {
  readonly endpoint: string
  /**
   * A request as an operation, through `graphql:document`, parser, validation and variables: for entrances of other
   * transports, which hand the operation to `scope.engine.run`.
   * @throws what {@link GraphQLApi.renderErrors} reads
   */
  prepare(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation>
  /**
   * The parameters of a request, of a message's payload.
   * @throws SvcError REQUEST_ERROR
   */
  readRequest(fields: Readonly<Record<string, unknown>>): GraphQLRequest
  /**
   * The parameters of an HTTP request, by GET or POST.
   * @throws SvcError REQUEST_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
   */
  readHttpRequest(ctx: HttpExchange): MaybePromise<GraphQLRequest>
  /**
   * A document as requests have it: from the same cache, after the same validation and hooks.
   * @returns its syntax tree, and what it was validated against
   * @throws what {@link GraphQLApi.renderErrors} reads
   */
  read(ctx: Exchange, text: string): MaybePromise<Pick<PreparedDocumentEvent, 'document' | 'schema'>>
  /**
   * Prepares a document as a request for it would, all its operations, plans them for who sees all of them, and keeps it where
   * requests look; nothing runs, and nobody is authorized.
   * @throws what {@link GraphQLApi.renderErrors} reads
   */
  check(ctx: Exchange, text: string): Promise<void>
  /** `errors` as clients see them, of anything that was thrown or stands in a result. */
  renderErrors(ctx: Exchange, error: unknown): readonly RenderedError[]
  /** Answers `GET` with `Accept: text/html` and no query: the query editor. One plugin may; only during set-up. */
  serveHtml(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /** Answers requests whose `Accept` prefers `text/event-stream`. One plugin may; only during set-up. */
  serveEvents(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /** Advertises the subscriptions of the schema. Only during set-up, by the plugin that serves them. */
  enableSubscriptions(): void
  /**
   * Adds to the schema of every generation. What does not fit a schema is refused with it: boot fails, a reload keeps
   * the old one. Only during set-up.
   * @param plugin who adds it: `scope.plugin`
   * @param extension what it adds, or how that follows from a schema
   */
  extend(plugin: string, extension: GraphQLExtension | ((schema: SchemaModel) => GraphQLExtension)): void
  /**
   * Adds a member to `extensions` of answers over HTTP: of results, and of requests that failed. Not of streams, nor where
   * a request never came to be one. Only during set-up.
   * @throws SvcError SVC_PROVIDE_DUPLICATE
   */
  extendAnswers(name: string, begin: BeginExtension): void
  /** The schema of a generation in SDL, as introspection shows it; definitions in the order of their names. */
  printSchema(generation: Generation): string
}

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Config {
    readonly graphql?: GraphQLOptions
  }
  interface Provided {
    graphql: GraphQLApi
  }
  interface Stages {
    /**
     * Kind around. From a request to its operation: stored document, parser, validation, variables. For who looks on, as
     * tracing does; what is known of the document before is quick.
     */
    'graphql:prepare': {
      kind: 'around'
      handler: (ctx: Exchange, request: GraphQLRequest, next: () => MaybePromise<Operation>) => MaybePromise<Operation>
    }
    /**
     * Kind waterfall. Sees every GraphQL request before its document is looked up and may put another in its place:
     * stored documents live here. A throw refuses the request.
     */
    'graphql:document': {
      kind: 'waterfall'
      handler: (request: GraphQLRequest, ctx: Exchange) => MaybePromise<GraphQLRequest | undefined>
    }
    /**
     * Kind series. Once per document, when it has passed validation and before it runs for the first time: what stores
     * documents stores them here, what refuses them for their shape throws here.
     */
    'graphql:prepared': {
      kind: 'series'
      handler: (prepared: PreparedDocumentEvent, ctx: Exchange) => MaybePromise<void>
    }
    /**
     * Kind series. Once per list of requests in one body, before the first of them runs: what bounds one request throws here
     * where all of them together are too much, and nothing is run.
     */
    'graphql:batch': {
      kind: 'series'
      handler: (batch: { readonly templates: readonly Operation['template'][] }, ctx: Exchange) => MaybePromise<void>
    }
  }
}
