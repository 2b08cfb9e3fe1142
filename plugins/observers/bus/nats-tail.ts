import type { ConsumerMessages, JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { readEntry } from './bus-entry.ts'
import { type BusListener, MOST_FETCHED } from './event-bus.ts'

/** Interval in which the server reports its position. A listener that misses three reports has lost the consumer. */
const HEARTBEAT_MS = 4000
const EXPIRES_MS = 2 * HEARTBEAT_MS + 2000

/** After any of these events the listener may have missed messages, or the stream was replaced. */
const LOST: ReadonlySet<string> = new Set([
  'stream_not_found',
  'consumer_not_found',
  'consumer_deleted',
  'heartbeats_missed',
  'ordered_consumer_recreated',
  'no_responders',
])

export interface NatsTail {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly stream: string
  /** Stream sequence number after which to begin. */
  readonly after: number
}

/**
 * Passes new messages of a NATS stream to a listener until the signal is aborted.
 * @param take receives the entries
 * @throws Error when messages may be missing; the caller then continues from the present end of the stream
 */
export async function tailStream(
  { connection, js, stream, after }: NatsTail,
  take: BusListener['take'],
  signal: AbortSignal,
): Promise<void> {
  const consumer = await js.consumers.get(stream, { opt_start_seq: after + 1 })
  const options = { max_messages: MOST_FETCHED, expires: EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS }
  const messages = await consumer.consume(options)
  const seen = { sequence: after }
  const stop = (): void => messages.stop()
  const unwatch = onReconnect(connection, stop)
  void stopWhenLost(messages, seen)
  signal.addEventListener('abort', stop)
  // The signal may have come while the consumer was created.
  if (signal.aborted) stop()
  try {
    for await (const message of messages) {
      const entry = readEntry(message.string())
      if (entry !== null) await take([entry])
      seen.sequence = message.seq
    }
    if (!signal.aborted) throw new Error('the stream of the bus has ended')
  } finally {
    signal.removeEventListener('abort', stop)
    unwatch()
    stop()
  }
}

/**
 * Calls back after a reconnect to NATS, because messages sent in between are lost without notice.
 * @returns a function that removes the callback
 */
export function onReconnect(connection: NatsConnection, reconnected: () => void): () => void {
  const states = connection.status()
  void (async () => {
    for await (const { type } of states) if (type === 'reconnect') reconnected()
  })()
  return () => (states as { stop?: () => void }).stop?.()
}

/** Stops when messages are lost. A heartbeat is sent when none are pending, so that all messages before it should have arrived. */
async function stopWhenLost(messages: ConsumerMessages, seen: { readonly sequence: number }): Promise<void> {
  let before = -1
  for await (const state of messages.status()) {
    if (LOST.has(state.type)) messages.stop()
    if (state.type !== 'heartbeat') continue
    // While a message is being handled, later ones have not been counted yet.
    if (state.lastStreamSequence > seen.sequence && seen.sequence === before) messages.stop()
    before = seen.sequence
  }
}
