import type { ConsumerMessages, JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { readEntry } from './bus-entry.ts'
import { type BusListener, MOST_FETCHED } from './event-bus.ts'

/** So often the server says how far it has given; a listener that hears nothing of it three times has lost it. */
const HEARTBEAT_MS = 4000
const EXPIRES_MS = 2 * HEARTBEAT_MS + 2000

/** Behind any of these the listener may have missed something, or counts in a stream that is not there any more. */
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
  /** Sequence behind which it begins. */
  readonly after: number
}

/**
 * Gives what a stream is given, until the signal.
 * @throws Error when it may have missed something: whoever calls it again begins with what the stream has
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

/** Messages that were sent while the connection was broken are lost, and nothing says so before the next one. @returns ends it */
export function onReconnect(connection: NatsConnection, reconnected: () => void): () => void {
  const states = connection.status()
  void (async () => {
    for await (const { type } of states) if (type === 'reconnect') reconnected()
  })()
  return () => (states as { stop?: () => void }).stop?.()
}

/** A heartbeat comes where nothing is on its way: what has been given by then and did not come is lost. */
async function stopWhenLost(messages: ConsumerMessages, seen: { readonly sequence: number }): Promise<void> {
  let before = -1
  for await (const state of messages.status()) {
    if (LOST.has(state.type)) messages.stop()
    if (state.type !== 'heartbeat') continue
    // Who is busy with a message has not seen those behind it yet.
    if (state.lastStreamSequence > seen.sequence && seen.sequence === before) messages.stop()
    before = seen.sequence
  }
}
