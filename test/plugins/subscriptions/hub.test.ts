import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { type Exchange, type Operation, SvcError } from '../../../core/doors/plugin.ts'
import type { EventPage } from '../../../plugins/observers/api.ts'
import type { Sink } from '../../../plugins/subscriptions/api.ts'
import { Hub } from '../../../plugins/subscriptions/hub/hub.ts'
import type { HubParts } from '../../../plugins/subscriptions/hub/hub-parts.ts'
import { Stale } from '../../../plugins/subscriptions/hub/stale.ts'
import type { Watch } from '../../../plugins/subscriptions/hub/watch.ts'
import type { Target } from '../../../plugins/subscriptions/match/target.ts'
import { until } from './shop.ts'

/** Turns that a database and a network take too seldom: who comes, goes and fails while the schema is changed. */
interface World {
  readonly hub: Hub
  /** The schema that is served. */
  served: object
  /** Called by each read. */
  onRead: () => void
  read: () => Promise<void>
  accessKey: () => Promise<void>
  page: () => Promise<void>
  make(): Watch
  happen(id: string): void
  /** A message of a channel. */
  say(id: string): void
}

const target = {
  matches: () => true,
  types: new Map([['Order', { shape: {}, filter: null }]]),
  durable: true,
  hears: () => true,
} as unknown as Target

function world(more: Partial<HubParts> = {}): World {
  const events: ChangeEvent[] = []
  const parts: HubParts = {
    events: {
      get position() {
        return String(events.length)
      },
      async read(after): Promise<EventPage> {
        await made.page()
        return { events: events.slice(Number(after)), position: String(events.length), isEnd: true, isTooOld: false }
      },
      positionOf: async (id) => events.find((event) => event.id === id)?.position ?? null,
    },
    accessKey: () => made.accessKey().then(() => 'all'),
    isStale: ({ exchange }) => (exchange.generation as object) !== made.served,
    async read({ exchange }, all) {
      if ((exchange.generation as object) !== made.served) throw new Stale()
      made.onRead()
      await made.read()
      return all.map(({ event }) => event.id)
    },
    failed() {},
    sent() {},
    lost() {},
    patienceMs: 100,
    ...more,
  }
  const made: World = {
    hub: new Hub(parts),
    served: {},
    onRead() {},
    read: async () => {},
    accessKey: async () => {},
    page: async () => {},
    make: () => ({
      target,
      operation: {} as Operation,
      exchange: { generation: made.served } as unknown as Exchange,
      key: 'same',
      accepts: () => true,
      read: async () => [],
    }),
    happen(id) {
      const event = {
        id,
        position: String(events.length + 1),
        kind: 'INSERT',
        entityType: 'Order',
        entity: null,
        before: null,
      } as ChangeEvent
      events.push(event)
      made.hub.event(event)
    },
    say(id) {
      const event = { id, position: '0', kind: 'CUSTOM', entityType: 'Order', entity: null, before: null }
      made.hub.message(event as ChangeEvent, () => true)
    },
  }
  return made
}

function listener(): Sink & { readonly heard: string[]; error: unknown; isAway: boolean } {
  const heard: string[] = []
  return {
    heard,
    error: null,
    isAway: false,
    next: ({ text }) => heard.push(text) > 0,
    room: async () => {},
    fail(error) {
      this.error = error
    },
    away() {
      this.isAway = true
    },
  }
}

function gate(): { readonly wait: () => Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { wait: () => opened, open: () => open() }
}

t.test('a subscriber that joins during a schema change gets each event once', async (t) => {
  const made = world()
  const asked = gate()
  made.accessKey = asked.wait
  const sink = listener()
  const added = made.hub.add(made.make(), sink, async () => made.make(), null)
  made.served = {}
  made.accessKey = async () => {}
  await made.hub.renew()
  asked.open()
  const member = await added
  made.happen('one')
  made.happen('two')
  await until(() => sink.heard.length === 2, 'it hears')
  await made.hub.idle()
  t.same(sink.heard, ['one', 'two'])
  member.end()
  t.equal(made.hub.size, 0)
})

t.test('a change of the schema that is noticed by reading alone', async (t) => {
  const made = world()
  const sink = listener()
  await made.hub.add(made.make(), sink, async () => made.make(), null)
  made.served = {}
  made.happen('one')
  await until(() => sink.heard.length === 1, 'it hears')
  t.same(sink.heard, ['one'])
})

t.test('two changes close together: a finished catch-up leaves no second reader', async (t) => {
  const made = world()
  const [paged, renewed] = [gate(), gate()]
  made.happen('seen')
  made.happen('missed')
  made.page = paged.wait
  const sink = listener()
  const make = async (): Promise<Watch> => {
    await renewed.wait()
    return made.make()
  }
  const member = await made.hub.add(made.make(), sink, make, 'seen')
  made.served = {}
  const first = made.hub.renew()
  made.served = {}
  const second = made.hub.renew()
  paged.open()
  renewed.open()
  await Promise.all([first, second])
  await until(() => sink.heard.length === 1, 'it has caught up')
  let reads = 0
  made.onRead = () => reads++
  made.happen('last')
  await made.hub.idle()
  t.same([sink.heard, reads], [['missed', 'last'], 1])
  member.end()
  made.happen('nobody')
  await made.hub.idle()
  t.equal(reads, 1)
})

t.test('a permanent read error ends the subscriptions; an outage is retried', async (t) => {
  const made = world()
  const [live, late] = [listener(), listener()]
  await made.hub.add(made.make(), live, async () => made.make(), null)
  const stops = new SvcError('DATABASE_ERROR', 'Refused.', { cause: { code: '57P01' } })
  const failures = [new SvcError('SERVICE_UNAVAILABLE', 'Away.'), stops]
  made.onRead = () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
  }
  made.happen('one')
  await until(() => live.heard.length === 1, 'it is tried again')
  made.onRead = () => {
    throw new SvcError('DATABASE_ERROR', 'A fault of the view.')
  }
  made.happen('two')
  await until(() => live.error !== null, 'it is told')
  await made.hub.add(made.make(), late, async () => made.make(), 'one')
  await until(() => late.error !== null, 'so is who catches up')
  t.match([live, late], [{ error: { code: 'DATABASE_ERROR' } }, { error: { code: 'DATABASE_ERROR' } }])
  t.equal(made.hub.size, 0)
})

t.test('messages of a channel wait for who is made anew, catches up, or is moved', async (t) => {
  const made = world()
  const [renewed, read] = [gate(), gate()]
  const sink = listener()
  const make = async (): Promise<Watch> => {
    await renewed.wait()
    return made.make()
  }
  await made.hub.add(made.make(), sink, make, null)
  made.say('before')
  await made.hub.idle()
  made.read = read.wait
  made.say('being read')
  await sleep(5)
  made.served = {}
  const renewal = made.hub.renew()
  await sleep(5)
  read.open()
  made.happen('an event')
  made.say('meanwhile')
  renewed.open()
  await renewal
  await until(() => sink.heard.length === 4, 'all are told')
  made.say('after')
  await until(() => sink.heard.length === 5, 'and what comes then')
  await made.hub.idle()
  t.same([...sink.heard].sort(), ['after', 'an event', 'before', 'being read', 'meanwhile'], 'each once')
  t.same(
    sink.heard.filter((id) => id !== 'an event'),
    ['before', 'being read', 'meanwhile', 'after'],
  )
  t.equal(made.hub.size, 1)
})

t.test('too many messages for who cannot be made anew', async (t) => {
  const made = world()
  const sink = listener()
  const held = gate()
  await made.hub.add(made.make(), sink, async () => (await held.wait(), made.make()), null)
  made.served = {}
  void made.hub.renew()
  await sleep(5)
  for (let n = 0; n <= 2000; n++) made.say(`${n}`)
  t.match(sink.error, { code: 'EVENTS_LOST' })
  held.open()
  t.equal(made.hub.size, 0)
})

t.test('an outage while subscriptions are made anew is waited for; who cannot go on is sent elsewhere', async (t) => {
  const made = world()
  const [patient, refused, hopeless] = [listener(), listener(), listener()]
  let failures = 1
  const away = async (): Promise<Watch> => {
    if (failures-- > 0) throw new SvcError('SERVICE_UNAVAILABLE', 'Away.')
    return made.make()
  }
  await made.hub.add(made.make(), patient, away, null)
  await made.hub.add(
    made.make(),
    refused,
    async () => {
      throw new SvcError('FORBIDDEN', 'No.')
    },
    null,
  )
  made.served = {}
  await made.hub.renew()
  t.match([patient, refused], [{ error: null }, { error: { code: 'FORBIDDEN' }, isAway: false }])
  made.happen('one')
  await until(() => patient.heard.length === 1, 'it goes on')
  await made.hub.add(
    made.make(),
    hopeless,
    async () => {
      throw new SvcError('TIMEOUT', 'Away.')
    },
    null,
  )
  made.served = {}
  await made.hub.renew()
  t.match(hopeless, { error: null, isAway: true })
  t.equal(made.hub.size, 1)
})

t.test('a subscriber that falls behind gets the remaining messages, none twice', async (t) => {
  const made = world()
  const sink = listener()
  const { next } = sink
  let isFull = false
  sink.next = (told) => {
    if (told.text === 'two' && !isFull) {
      isFull = true
      return false
    }
    return next.call(sink, told)
  }
  await made.hub.add(made.make(), sink, async () => made.make(), null)
  for (const id of ['one', 'two', 'three']) made.say(id)
  await until(() => sink.heard.length >= 3, 'all are told')
  made.say('four')
  await until(() => sink.heard.includes('four'), 'and what comes then')
  t.same(sink.heard, ['one', 'two', 'three', 'four'])
})

t.test('different subscriptions are read a number at once, and all hear it', async (t) => {
  const made = world({ readsAtOnce: 3 })
  let [running, most] = [0, 0]
  made.read = async () => {
    most = Math.max(most, ++running)
    await sleep(2)
    running--
  }
  const sinks = Array.from({ length: 20 }, listener)
  for (const [n, sink] of sinks.entries()) {
    await made.hub.add({ ...made.make(), key: `different ${n}` }, sink, async () => made.make(), null)
  }
  made.happen('one')
  await until(() => sinks.every(({ heard }) => heard.length === 1), 'all hear it')
  t.equal(most, 3)
  made.happen('two')
  made.happen('three')
  await made.hub.idle()
  t.same(
    sinks.map(({ heard }) => heard),
    sinks.map(() => ['one', 'two', 'three']),
  )
})
