import type { Exchange, Scope } from '../../../core/index.ts'
import type { GraphQLApi } from '../../graphql/api.ts'
import type { Subscriptions } from '../api.ts'
import type { SubscriptionsOptions } from '../options.ts'

/** What connections take from their surroundings. */
export interface ConnectionParts extends Pick<Scope, 'enter' | 'run' | 'toPublicError'> {
  readonly graphql: Pick<GraphQLApi, 'readRequest' | 'prepare' | 'renderErrors'>
  readonly subscriptions: Subscriptions
  readonly options: SubscriptionsOptions
  /** Of API keys, in lower case; `null`: there are none. */
  readonly keyHeader: string | null
  /** Is every operation closed to anonymous callers? */
  readonly isClosed: (exchange: Exchange) => boolean
  readonly counted: (result: 'accepted' | 'refused') => void
  readonly subscribed: (result: 'accepted' | 'refused') => void
  readonly left: (connection: { readonly id: string }) => void
}
