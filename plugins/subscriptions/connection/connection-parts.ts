import type { Engine, Exchange, Pipeline } from '../../../core/doors/plugin.ts'
import type { GraphQLApi } from '../../graphql/api.ts'
import type { Subscriptions } from '../api.ts'
import type { SubscriptionsOptions } from '../options.ts'

/** What connections take from their surroundings. */
export interface ConnectionParts extends Pick<Engine, 'run'>, Pick<Pipeline, 'enter' | 'toPublicError'> {
  readonly graphql: Pick<GraphQLApi, 'readRequest' | 'prepare' | 'renderErrors'>
  readonly subscriptions: Subscriptions
  readonly options: SubscriptionsOptions
  /** Headers that credentials stand in, in lower case. */
  readonly credentialHeaders: () => readonly string[]
  /** Is every operation closed to anonymous callers? */
  readonly isClosed: (exchange: Exchange) => boolean
  readonly counted: (result: 'accepted' | 'refused') => void
  readonly subscribed: (result: 'accepted' | 'refused') => void
  readonly left: (connection: { readonly id: string }) => void
}
