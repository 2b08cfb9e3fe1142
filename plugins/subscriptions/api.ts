import type { HttpExchange, MaybePromise, Reply } from '../../core/doors/plugin.ts'
import type { Subscriptions } from './transport/subscriptions.ts'

export type {
  FollowRequest,
  OutgoingEvent,
  Session,
  Sink,
  Subscriber,
  Subscriptions,
} from './transport/subscriptions.ts'

export type StreamHandler = (ctx: HttpExchange) => MaybePromise<Reply>

// The same path as in other plugins: TypeScript does not merge two augmentations of one interface under different paths.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    subscriptions: Subscriptions
  }
}
