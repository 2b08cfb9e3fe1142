import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { makeTable } from '../../../core/service/tables/make-table.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import type { BoundObserver, DeliveryStore, StoredDelivery } from '../../../plugins/observers/deliver/delivery.ts'
import { beginDelivery } from '../../../plugins/observers/deliver/delivery.ts'
import { Dispatcher } from '../../../plugins/observers/deliver/dispatcher.ts'
import { createMemoryDeliveries } from '../../../plugins/observers/deliver/memory-deliveries.ts'
import { createSqlDeliveries } from '../../../plugins/observers/sql/sql-deliveries.ts'
import { DELIVERIES, OUTBOX, RELAY } from '../../../plugins/observers/sql/tables.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'

/** The changes of a row come in their order, whoever delivers them and whoever did before. */
t.setTimeout(60_000)

const shape = shapeOfAuthored({ name: 'Account', fields: [{ name: 'id', type: 'ID!' }] } as never)
const sample = sampleChange(shape)
const ID = '00000000-0000-4000-8000-00000000000'
const eventOf = (version: number) => ({
  ...sample.event,
  id: `${ID}${version}`,
  entityId: 'row',
  position: `${version}`,
})

function observerOf(
  run: (version: number) => Promise<'done' | 'again'>,
  more: Partial<BoundObserver> = {},
): BoundObserver {
  return {
    name: 'hook',
    sync: false,
    retry: { max_attempts: 100, backoff_strategy: 'fixed', initial_delay_ms: 1, max_delay_ms: 1 },
    actions: [
      {
        type: 'webhook',
        targetOf: () => 'host',
        run: async ({ event: { position } }) => {
          const kind = await run(Number(position))
          return kind === 'done' ? { kind } : { kind, error: 'refused' }
        },
      },
    ],
    ...more,
  }
}

function dispatcherOf(t: TestLike, observers: readonly BoundObserver[], store: DeliveryStore, turn = () => live) {
  return new Dispatcher({
    watch: (event) => observers.map((observer) => ({ change: { ...sample, event }, observer })),
    find: (name, event) => {
      const observer = observers.find((one) => one.name === name)
      return observer === undefined ? null : { change: { ...sample, event }, observer }
    },
    store,
    report: { attempted() {}, buried() {}, failed: (error) => t.fail(String(error)) },
    concurrency: 2,
    turn,
  })
}
const live = new AbortController().signal

t.test('a lane with something in it stays one, whatever became of one of its deliveries', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const database = await openDatabase(t, await createPostgresDatabase(t))
  for (const table of [OUTBOX, RELAY, DELIVERIES]) await makeTable(database, table)
  const holdBy = (holder: string) =>
    database.script(
      `DELETE FROM svc_event_relay; INSERT INTO svc_event_relay (name, holder) VALUES ('observers', '${holder}')`,
    )
  const own = createSqlDeliveries(() => database, 'own')
  const other = createSqlDeliveries(() => database, 'other')
  const observer = observerOf(async () => 'done')
  const pending = (version: number) => beginDelivery(eventOf(version), observer, 0)
  await holdBy('own')
  for (const version of [7, 8, 9]) await own.park(pending(version), version === 7 ? 0 : null)
  const [seven] = (await own.due(10)) as [StoredDelivery]
  t.equal(seven.event.position, '7')

  await t.test('a relay that has lost its turn changes nothing', async (t) => {
    await t.rejects(other.done(seven), { name: 'NotActive' })
    await t.rejects(other.bury(seven), { name: 'NotActive' })
    await t.rejects(other.park(pending(5), null), { name: 'NotActive' })
    await other.again({ ...seven, attempts: 50 }, 60_000)
    t.same(await own.due(10), [seven])
  })

  await t.test('one that another relay has taken out leaves the rest where it is', async (t) => {
    await holdBy('other')
    t.equal(await other.done(seven), true, '8 and 9 wait')
    await holdBy('own')
    t.equal(await own.done(seven), true, 'for the one that comes late, too')
    t.equal(await own.bury(seven), true)
    const due = await own.due(10)
    t.same(
      due.map(({ event }) => event.position),
      ['8'],
      'one of a lane at a time',
    )
    t.equal(await own.done(due[0]!), true)
    const [nine] = (await own.due(10)) as [StoredDelivery]
    t.equal(await own.bury(nine), false, 'nothing waits any more')
    t.equal(await own.isWaiting(nine.lane), false)
  })
})

t.test('work that ended while the store was queried is not repeated', async (t) => {
  const store = createMemoryDeliveries()
  const told: number[] = []
  let isAway = true
  const ended: (() => void)[] = []
  const observer = observerOf(async (version) => {
    if (isAway) return 'again'
    told.push(version)
    // The first of them ends while the store is asked again.
    if (version === 1) await new Promise<void>((resolve) => ended.push(resolve))
    return 'done'
  })
  let asked = 0
  let answer: () => void = () => {}
  const dispatcher = dispatcherOf(t, [observer], {
    ...store,
    async due(limit) {
      const found = await store.due(limit)
      if (ended.length > 0 && ++asked === 1) await new Promise<void>((resolve) => (answer = resolve))
      return found
    },
  })
  await dispatcher.start()
  for (const version of [1, 2]) await dispatcher.deliver(eventOf(version))
  isAway = false
  while (ended.length === 0) await sleep(5)
  // A delivery of another row has the store asked.
  await store.park({ ...beginDelivery({ ...eventOf(3), entityId: 'other' }, observer, 0) }, 0)
  while (asked === 0) await sleep(5)
  ended[0]!()
  await sleep(20)
  answer()
  while (told.length < 3) await sleep(5)
  await sleep(100)
  t.same([...told].sort(), [1, 2, 3], 'each once')
  await dispatcher.stop()
})

t.test('deliveries in memory of an earlier turn are not continued in the next one', async (t) => {
  const told: string[] = []
  const gates: (() => void)[] = []
  let turn = new AbortController()
  const observer = observerOf(async (version) => {
    told.push(`${version}`)
    if (told.length === 1) await new Promise<void>((resolve) => gates.push(resolve))
    return 'done'
  })
  const dispatcher = dispatcherOf(t, [observer], createMemoryDeliveries(), () => turn.signal)
  await dispatcher.start()
  const first = dispatcher.deliver(eventOf(1))
  const second = t.rejects(
    dispatcher.deliver(eventOf(2)),
    { name: 'NotActive' },
    'it comes again, in the turn of somebody',
  )
  while (gates.length === 0) await sleep(5)
  turn.abort()
  await dispatcher.stop()
  turn = new AbortController()
  await dispatcher.start()
  gates[0]!()
  await Promise.all([first, second])
  t.same(told, ['1'])
  await dispatcher.stop()
})

t.test('a path that hangs holds up its own observer alone', async (t) => {
  const told: number[] = []
  let letGo: () => void = () => {}
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  const hanging = observerOf(async () => {
    await gate
    return 'done'
  })
  const other = observerOf(
    async (version) => {
      told.push(version)
      return 'done'
    },
    { name: 'other' },
  )
  const dispatcher = dispatcherOf(t, [hanging, other], createMemoryDeliveries())
  await dispatcher.start()
  const all = [1, 2, 3, 4].map((version) => dispatcher.deliver({ ...eventOf(version), entityId: `row ${version}` }))
  for (let left = 200; left > 0 && told.length < 4; left--) await sleep(5)
  t.same([...told].sort(), [1, 2, 3, 4], 'of the same host, while all slots of the other are taken')
  letGo()
  await Promise.all(all)
  await dispatcher.stop()
})
