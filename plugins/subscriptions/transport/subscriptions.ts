import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Auth, Exchange, MaybePromise, ObjectType, Operation } from '../../../core/doors/plugin.ts'
import type { GraphQLRequest } from '../../graphql/api.ts'

/** An event with the text to send. Subscribers with the same read share the object. */
export interface OutgoingEvent {
  readonly event: ChangeEvent
  /** JSON text of a GraphQL response, or the text that `FollowRequest.read` returned. */
  readonly text: string
}

/** Receives the events of a subscriber, on behalf of its transport. */
export interface Sink {
  /**
   * Sends an event to the client.
   * @returns `false` when the transport has no room. The event is then dropped; with replay it is passed again later
   */
  next(outgoing: OutgoingEvent): boolean
  /** Resolves when the transport has room again, or the subscription has ended. */
  room(): Promise<void>
  /** Called when the subscription has failed. The transport sends the errors in GraphQL's format. */
  fail(error: unknown): void
  /** Called when the subscription cannot continue in this process. The client has to subscribe again. */
  away(): void
}

/** An active subscription. */
export interface Subscriber {
  /** Ends the subscription. */
  end(): void
}

/** A request to follow the rows of a type, with a read function of the front. */
export interface FollowRequest {
  readonly exchange: Exchange
  readonly type: ObjectType
  /**
   * Operation that reads the rows, authorized for each subscriber. Subscribers with equal `template`, `variables` and
   * access share one read.
   */
  readonly operation: Operation
  /** Text that is equal for equal reads of the same type. */
  readonly key: string
  /** Reads the rows that changed. @returns a text per event; `null`: do not send the event */
  read(exchange: Exchange, events: readonly ChangeEvent[]): Promise<readonly (string | null)[]>
  /** Id of the last event that the client received; `null`: only new events. An unknown id fails with EVENTS_LOST. */
  readonly lastEventId: string | null
}

/** A connection whose credential is checked while it lasts. */
export interface Session {
  readonly transport: 'websocket' | 'internal'
  readonly headers: Exchange['headers']
  readonly address: string
  readonly auth: Auth | null
}

/** API for plugins that serve subscriptions over other transports. */
export interface Subscriptions {
  /**
   * Starts a GraphQL subscription and writes its results to `sink`. Hooks, rules, access checks and replay are those of WebSocket.
   * @param operation the subscription, as `graphql.prepare` returned it
   * @returns a handle that ends the subscription
   * @throws errors for `graphql.renderErrors`
   */
  subscribe(
    exchange: Exchange,
    request: GraphQLRequest,
    operation: Operation,
    sink: Sink,
    connection: string,
  ): Promise<Subscriber>
  /** Subscribes to changes of the rows of a type. @throws the error that rejects the subscription */
  follow(request: FollowRequest, sink: Sink): Promise<Subscriber>
  /**
   * Calls `ended` when the token of a connection expires or its credential is refused.
   * @returns the function that stops watching
   */
  watch(session: Session, ended: (error: unknown) => void): () => void
  /**
   * Calls the webhook `on_connect` for a new connection.
   * @throws SvcError FORBIDDEN
   * @returns a function that calls `on_disconnect`
   */
  connected(connection: string, params: unknown): MaybePromise<() => void>
  /**
   * Calls the listener when the process begins to stop, so that clients can connect to another process.
   * @returns a function that unsubscribes
   */
  onDrain(listener: () => void): () => void
}
