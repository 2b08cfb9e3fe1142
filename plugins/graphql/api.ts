import type { Exchange, Generation, HttpExchange, MaybePromise, Operation, Reply } from '../../core/index.ts'
import type { RenderedError } from './http/respond.ts'

/** The parameters of a GraphQL request, however it came. */
export interface GraphQLRequest {
  readonly query: string | null
  /** A number that no double holds is an `ExactNumber`. */
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  readonly extensions: Readonly<Record<string, unknown>> | null
  /** `id`, `documentId`, `doc_id`: what clients of stored documents send beside the fields above. */
  readonly other: Readonly<Record<string, unknown>>
}

/** What the GraphQL front gives to the plugins that depend on it. */
export interface GraphQLApi {
  readonly endpoint: string
  /**
   * A request as an operation, through `graphql:document`, parser, validation and variables: for entrances of other
   * transports, which hand the operation to `scope.run`.
   * @throws what {@link GraphQLApi.renderErrors} reads
   */
  prepare(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation>
  /** `errors` as clients see them, of anything that was thrown or stands in a result. */
  renderErrors(ctx: Exchange, error: unknown): readonly RenderedError[]
  /** Answers `GET` with `Accept: text/html` and no query: the query editor. One plugin may; only during set-up. */
  serveHtml(handler: (ctx: HttpExchange) => MaybePromise<Reply>): void
  /** Advertises the subscriptions of the schema. Only during set-up, by the plugin that serves them. */
  enableSubscriptions(): void
  /** The schema of a generation in SDL. */
  printSchema(generation: Generation): string
}

// A re-exported interface can only be extended where it is declared.
declare module '../../core/kernel/scope.ts' {
  interface Provided {
    graphql: GraphQLApi
  }
}
declare module '../../core/kernel/stages.ts' {
  interface Stages {
    /**
     * Kind waterfall. Sees every GraphQL request before its document is looked up and may put another in its place:
     * stored documents live here. A throw refuses the request.
     */
    'graphql:document': {
      kind: 'waterfall'
      handler: (request: GraphQLRequest, ctx: Exchange) => MaybePromise<GraphQLRequest | undefined>
    }
  }
}
