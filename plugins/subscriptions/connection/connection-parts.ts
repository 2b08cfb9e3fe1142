import type { Engine, Exchange, Pipeline } from '../../../core/doors/plugin.ts'
import type { GraphQLApi } from '../../graphql/api.ts'
import type { Subscriptions } from '../transport/subscriptions.ts'

/** Options of `[subscriptions]` for WebSocket connections. */
export interface ConnectionOptions {
  readonly max_subscriptions_per_connection?: number
  readonly init_timeout_ms: number
  readonly max_message_bytes: number
  readonly max_buffered_bytes: number
}

/** Dependencies of WebSocket connections. */
export interface ConnectionParts extends Pick<Engine, 'run'>, Pick<Pipeline, 'enter' | 'toPublicError'> {
  readonly graphql: Pick<GraphQLApi, 'readRequest' | 'prepare' | 'renderErrors'>
  readonly subscriptions: Subscriptions
  readonly options: ConnectionOptions
  /** Returns the names of headers that may contain credentials, in lower case. */
  readonly credentialHeaders: () => readonly string[]
  /**
   * Tests whether every operation of the schema requires a credential, so that anonymous connections can be rejected.
   */
  readonly isClosed: (exchange: Exchange) => boolean
  readonly counted: (result: 'accepted' | 'refused') => void
  readonly subscribed: (result: 'accepted' | 'refused') => void
  readonly left: (connection: { readonly id: string }) => void
}
