import type { CommittedEvents } from './feed/committed-events.ts'

export type { CommittedEvents, EventListener, EventPage } from './feed/committed-events.ts'
/** Sends requests: to public addresses only, without redirects, bounded. */
export { createHttpSender, type HttpSender, type HttpSenderOptions, type Outcome } from './outgoing/http-sender.ts'

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    events: CommittedEvents
  }
}
