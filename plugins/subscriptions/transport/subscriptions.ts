import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Auth, Exchange, MaybePromise, ObjectType, Operation } from '../../../core/doors/plugin.ts'
import type { GraphQLRequest } from '../../graphql/api.ts'

/** An event with the text to send. Subscribers with the same selection and access share the object. */
export interface OutgoingEvent {
  readonly event: ChangeEvent
  /** JSON text of a GraphQL response, or the text that `FollowRequest.read` returned. */
  readonly text: string
}

/** Receives the events of one subscription, to send them over a transport such as WebSocket. */
export interface Sink {
  /**
   * Sends an event to the client.
   * @returns `false` when the transport has no room: the event is dropped, or passed again later if the subscription
   * replays events
   */
  next(outgoing: OutgoingEvent): boolean
  /** Resolves when the transport has room again, or the subscription has ended. */
  room(): Promise<void>
  /** Called when the subscription has failed. The transport sends the error to the client. */
  fail(error: unknown): void
  /** Called when the subscription cannot continue in this process. The client must subscribe again. */
  away(): void
}

/** A running subscription, as its transport holds it. */
export interface Subscriber {
  /** Ends the subscription, for example because the client disconnected. */
  end(): void
}

/**
 * Asks for the changes to the rows of a type, which the caller reads and renders itself, such as for streams of REST.
 */
export interface FollowRequest {
  readonly exchange: Exchange
  readonly type: ObjectType
  /**
   * Operation that reads the rows. Access to it is checked for each subscriber. Subscribers with equal `template`,
   * `variables` and access share one read.
   */
  readonly operation: Operation
  /** Key that is equal for requests with the same result of `read`. */
  readonly key: string
  /** Reads the rows that changed. @returns the text to send per event; `null`: do not send the event */
  read(exchange: Exchange, events: readonly ChangeEvent[]): Promise<readonly (string | null)[]>
  /** Id of the last event that the client received; `null`: only new events. An unknown id fails with EVENTS_LOST. */
  readonly lastEventId: string | null
}

/** A connection whose credential is checked as long as it is open. */
export interface Session {
  readonly transport: 'websocket' | 'internal'
  readonly headers: Exchange['headers']
  readonly address: string
  readonly auth: Auth | null
}

/** API for plugins that serve subscriptions over other transports than WebSocket. */
export interface Subscriptions {
  /**
   * Starts a GraphQL subscription and passes its events to `sink`. Hooks, access checks and replay are the same as over
   * WebSocket.
   * @param operation the subscription, from `graphql.prepare`
   * @param connection id of the connection, for hooks and limits
   * @throws errors that `graphql.renderErrors` renders
   */
  subscribe(
    exchange: Exchange,
    request: GraphQLRequest,
    operation: Operation,
    sink: Sink,
    connection: string,
  ): Promise<Subscriber>
  /**
   * Starts to follow changes to the rows of a type and passes the events to `sink`.
   * @throws the error with which the subscription is rejected
   */
  follow(request: FollowRequest, sink: Sink): Promise<Subscriber>
  /**
   * Calls `ended` when the token of a connection expires or its credential is revoked.
   * @returns a function that stops watching
   */
  watch(session: Session, ended: (error: unknown) => void): () => void
  /**
   * Calls the webhook `on_connect` for a new connection.
   * @param connection id of the connection
   * @param params data that the client sent for authentication
   * @returns a function that calls `on_disconnect`
   * @throws SvcError FORBIDDEN when the webhook rejects the connection
   */
  connected(connection: string, params: unknown): MaybePromise<() => void>
  /**
   * Calls the listener when the process begins to stop, so that clients can connect to another one.
   * @returns a function that removes the listener
   */
  onDrain(listener: () => void): () => void
}
