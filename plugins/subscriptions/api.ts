import type { ChangeEvent } from '../../core/doors/front.ts'
import type {
  Auth,
  Exchange,
  HttpExchange,
  MaybePromise,
  ObjectType,
  Operation,
  Reply,
} from '../../core/doors/plugin.ts'
import type { GraphQLRequest } from '../graphql/api.ts'

/** One event as a subscriber is told of it. The same object for all who share it. */
export interface Told {
  readonly event: ChangeEvent
  /** JSON text: of a GraphQL response, or what `FollowRequest.read` gave. */
  readonly text: string
}

/** Where a subscriber takes what it is told. */
export interface Sink {
  /** @returns `false`: there is no room; the event is lost to it, or is given again where nothing may be lost */
  next(told: Told): boolean
  /** Resolves when there is room again, or it is over. */
  room(): Promise<void>
  /** It is over: errors as GraphQL shows them. */
  fail(error: unknown): void
  /** It cannot go on here: who wants it begins anew. */
  away(): void
}

/** A subscriber that is being served. */
export interface Subscriber {
  /** It wants no more. */
  end(): void
}

/** Rows of a type that somebody follows, read in a way of its own. */
export interface FollowRequest {
  readonly exchange: Exchange
  readonly type: ObjectType
  /** Authorized for each reader anew; of two that are equal (`template`, `variables`, access) one is read. */
  readonly operation: Operation
  /** Equal for equal reads of the same type. */
  readonly key: string
  /** Reads the rows that these events tell of. @returns text for each; `null`: nothing to tell */
  read(exchange: Exchange, events: readonly ChangeEvent[]): Promise<readonly (string | null)[]>
  /** The event seen last; `null`: from now on. One that is not known any more is told by EVENTS_LOST. */
  readonly lastEventId: string | null
}

/** Whose credential is watched while a connection lasts. */
export interface Session {
  readonly transport: 'websocket' | 'internal'
  readonly headers: Exchange['headers']
  readonly address: string
  readonly auth: Auth | null
}

/** For plugins that bring subscriptions over other transports. */
export interface Subscriptions {
  /**
   * Subscribes to what a GraphQL request asks for: hooks, rules, access and replay as over WebSocket.
   * @param operation of a subscription, as `graphql.prepare` gave it
   * @throws what `graphql.renderErrors` reads
   */
  subscribe(
    exchange: Exchange,
    request: GraphQLRequest,
    operation: Operation,
    sink: Sink,
    connection: string,
  ): Promise<Subscriber>
  /** Follows rows of a type. @throws what it is refused with */
  follow(request: FollowRequest, sink: Sink): Promise<Subscriber>
  /**
   * Watches a credential: at the end of a token, or when it is refused.
   * @returns ends it
   */
  watch(session: Session, ended: (error: unknown) => void): () => void
  /** Asks `on_connect`. @throws SvcError FORBIDDEN @returns tells `on_disconnect` */
  connected(connection: string, params: unknown): MaybePromise<() => void>
  /** Calls back when the process begins to stop: clients are to come back elsewhere. @returns ends it */
  onDrain(listener: () => void): () => void
}

export type StreamHandler = (ctx: HttpExchange) => MaybePromise<Reply>

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    subscriptions: Subscriptions
  }
}
