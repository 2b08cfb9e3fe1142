import type { CommittedEvents } from './feed/committed-events.ts'

export type { CommittedEvents, EventListener, EventPage } from './feed/committed-events.ts'
/** Sends requests: to public addresses only, without redirects, bounded. */
export { createHttpSender, type HttpSender, type HttpSenderOptions, type Outcome } from './outgoing/http-sender.ts'

// The same path as in other plugins: TypeScript does not merge two augmentations of one interface under different paths.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    events: CommittedEvents
  }
}
