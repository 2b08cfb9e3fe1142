import { setTimeout as sleep } from 'node:timers/promises'
import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { importPackages } from '../../../core/doors/plugin.ts'
import { readEntry } from './bus-entry.ts'
import { BUS_PACKAGES } from './bus-packages.ts'
import { BusBehind, type BusConsumer, type EventBus, groupEntries, MOST_FETCHED } from './event-bus.ts'
import { onReconnect, tailStream } from './nats-tail.ts'
import { Unread } from './unread.ts'

const WAIT_MS = 2000
const DURABLE = 'observers'
/** Time after which a server that does not answer counts as unreachable. */
const ANSWER_MS = 5000
/** Longer than any turn: unacknowledged messages are passed to the next process when its turn begins. */
const ACK_WAIT_NS = 60_000_000_000

interface Opened {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
}

/**
 * Creates the message bus in a NATS JetStream stream. The observers read it as a durable consumer.
 * @param url NATS server URL
 * @param answerMs milliseconds after which a silent server counts as unreachable
 */
export async function createNatsBus(
  url: string,
  stream: string,
  subject: string,
  answerMs = ANSWER_MS,
): Promise<EventBus> {
  const modules = await importPackages('observers', BUS_PACKAGES.msgbus, () =>
    Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]),
  )
  const [{ connect }, { jetstream, jetstreamManager, AckPolicy, DeliverPolicy }] = modules
  let opened: Promise<Opened> | null = null
  /** Sequence of the last message, as this process appended it. */
  let sequence: number | null = null

  function open(): Promise<Opened> {
    opened ??= start().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }

  async function start(): Promise<Opened> {
    const { host, protocol, username, password } = new URL(url)
    // Only the host is passed on, so that `tls://` would otherwise be sent unencrypted.
    if (protocol !== 'tls:' && protocol !== 'nats:') throw new Error('the bus is at nats:// or tls://')
    const login = username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    const connection = await connect({
      servers: host,
      ...login,
      ...(protocol === 'tls:' ? { tls: {} } : {}),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      timeout: answerMs,
      // Detects a dead connection, and reconnects.
      pingInterval: answerMs,
      maxPingOut: 2,
    })
    try {
      const jsm = await jetstreamManager(connection, { timeout: answerMs })
      return { connection, jsm, js: jetstream(connection, { timeout: answerMs }) }
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  async function end(): Promise<{ readonly sequence: number; readonly position: string }> {
    const { jsm } = await open()
    const { state } = await jsm.streams.info(stream).catch((error: Error) => {
      if (!/not found/i.test(error.message)) throw error
      return jsm.streams.add({ name: stream, subjects: [`${subject}.>`] })
    })
    if (state.messages === 0) return { sequence: state.last_seq, position: '0' }
    const message = await jsm.streams.getMessage(stream, { seq: state.last_seq })
    return { sequence: state.last_seq, position: readEntry(message?.string() ?? '')?.event.position ?? '0' }
  }

  return {
    async last() {
      return (await end()).position
    },
    async append(previous: string, events: readonly ChangeEvent[], isFirst: boolean) {
      const { js } = await open()
      if (isFirst || sequence === null) {
        const found = await end()
        if (found.position !== previous && !(isFirst && BigInt(found.position) < BigInt(previous)))
          throw new BusBehind(found.position, previous)
        sequence = found.sequence
      }
      let expected = sequence
      sequence = null
      for (const { entries } of groupEntries(previous, events)) {
        const published = entries.map(({ event, text }) => {
          const to = subjectOf(subject, event)
          return js.publish(to, `{"subject":${JSON.stringify(to)},${text.slice(1)}`, {
            expect: { lastSequence: expected++ },
          })
        })
        // If one message is refused, all after it fail too, since their sequences do not match.
        await Promise.all(published)
      }
      sequence = expected
    },
    async tail(to, signal) {
      const { connection, js } = await open()
      const found = await end()
      await to.begin(found.position)
      await tailStream({ connection, js, stream, after: found.sequence }, (entries) => to.take(entries), signal)
    },
    async consume(_floor, arrived) {
      const { js, jsm } = await open()
      const known = await jsm.consumers.info(stream, DURABLE).catch(() => null)
      // The server redelivers unacknowledged messages of the previous process at once, in order.
      if (known !== null) await jsm.consumers.delete(stream, DURABLE)
      await jsm.consumers.add(stream, {
        durable_name: DURABLE,
        ack_policy: AckPolicy.Explicit,
        ack_wait: ACK_WAIT_NS,
        max_ack_pending: 100_000,
        ...(known === null
          ? { deliver_policy: DeliverPolicy.All }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: known.ack_floor.stream_seq + 1 }),
      })
      const consumer = await js.consumers.get(stream, DURABLE)
      return consumeMessages((options) => consumer.fetch(options), arrived)
    },
    async trim(position) {
      const { jsm } = await open()
      const { state } = await jsm.streams.info(stream)
      let low = state.first_seq
      let high = state.last_seq
      // Positions ascend with sequences, so that a binary search works.
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        const message = await jsm.streams.getMessage(stream, { seq: middle })
        const at = readEntry(message?.string() ?? '')?.event.position ?? '0'
        if (BigInt(at) <= BigInt(position)) low = middle + 1
        else high = middle
      }
      if (low > state.first_seq) await jsm.streams.purge(stream, { seq: low })
    },
    async hear(channel, heard, gap = () => {}) {
      const { connection } = await open()
      const unwatch = onReconnect(connection, gap)
      // The client subscribes again after every reconnect.
      const subscription = connection.subscribe(channel, {
        callback(error, message) {
          if (error === null) heard(message.string())
        },
      })
      return async () => {
        unwatch()
        subscription.unsubscribe()
      }
    },
    async close() {
      await opened?.then(({ connection }) => connection.close()).catch(() => {})
    },
  }
}

/** Returns the subject of an event: `<prefix>.<entity>.<event>`, in lower case. */
function subjectOf(prefix: string, { entityType, kind }: ChangeEvent): string {
  return `${prefix}.${(entityType ?? '_').toLowerCase()}.${kind.toLowerCase()}`
}

type Fetch = (options: { max_messages: number; expires: number }) => Promise<AsyncIterable<JsMsg>>

/** Reads a durable consumer of JetStream for the relay. @param fetch requests the next messages */
function consumeMessages(fetch: Fetch, arrived: () => void): BusConsumer {
  const unread = new Unread()
  const taken = new Map<string, JsMsg>()
  let failure: unknown = null
  let isOpen = true

  const run = async (): Promise<void> => {
    while (isOpen) {
      for await (const message of await fetch({ max_messages: MOST_FETCHED, expires: WAIT_MS })) {
        const entry = readEntry(message.string())
        if (entry === null) message.ack()
        else {
          taken.set(entry.event.position, message)
          unread.add([entry])
          arrived()
        }
        if (!isOpen) return
      }
      while (isOpen && unread.isFull) await sleep(5)
    }
  }
  const running = run().catch((error: unknown) => {
    failure = error
    arrived()
  })

  return {
    read(limit) {
      if (failure !== null && isOpen) throw failure
      return unread.take(limit)
    },
    done(position) {
      taken.get(position)?.ack()
      taken.delete(position)
    },
    async close() {
      isOpen = false
      await Promise.race([running, sleep(WAIT_MS + 500, undefined, { ref: false })])
    },
  }
}
