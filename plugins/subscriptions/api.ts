import type { HttpExchange, MaybePromise, Reply } from '../../core/doors/plugin.ts'
import type { Subscriptions } from './transport/subscriptions.ts'

export type { FollowRequest, Session, Sink, Subscriber, Subscriptions, Told } from './transport/subscriptions.ts'

export type StreamHandler = (ctx: HttpExchange) => MaybePromise<Reply>

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    subscriptions: Subscriptions
  }
}
