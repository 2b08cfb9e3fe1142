import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type ChangeEvent, changes } from '../../../core/doors/front.ts'
import { definePlugin, type ObjectType } from '../../../core/doors/plugin.ts'
import type { CommittedEvents, EventPage } from '../../../plugins/observers/api.ts'
import { createPostgresDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import type { TestApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts, set } from './accounts.ts'
import { BUSES, setUpBus } from './buses.ts'

/** Whoever subscribes: each process hears of each committed change once, and can read on from any position. */
t.setTimeout(120_000)
const hasPostgres = await requireService(t, 'postgres')

interface Reader {
  readonly app: TestApp
  readonly events: CommittedEvents
  readonly heard: ChangeEvent[]
  readonly states: (boolean | string)[]
  /** Waits until so many have been heard of. */
  wait(count: number): Promise<readonly ChangeEvent[]>
}

/** A service without observers, whose changes another plugin wants. */
async function open(t: TestLike, database: TestDatabase, options: object, url?: string): Promise<Reader> {
  let events: CommittedEvents | null = null
  const heard: ChangeEvent[] = []
  const states: (boolean | string)[] = []
  const manifest = { name: 'listening', version: '1.0.0', kernelApi: 1, description: 'A test.' }
  const plugin = definePlugin({ ...manifest, dependencies: ['observers'] }, (scope) => {
    events = scope.use('events')
    events.want(() => ['Account'])
    events.follow({
      event(event) {
        heard.push(event)
        if (event.entity?.includes('fails')) throw new Error('this listener fails')
      },
      state: (isUp) => void states.push(isUp),
      lost: (after) => void states.push(`lost after ${after}`),
    })
  })
  const app = await openAccounts(t, database, accounts([]), options, {
    ...(url === undefined ? {} : { url }),
    plugins: [{ plugin, options: {}, source: 'test' }],
  })
  return {
    app,
    events: events!,
    heard,
    states,
    async wait(count) {
      for (let left = 12_000; heard.length < count && left > 0; left--) await sleep(5)
      if (heard.length < count) throw new Error(`${heard.length} of ${count} were heard of`)
      return heard
    },
  }
}

async function behaviour(t: TestLike, reader: Reader): Promise<void> {
  const { app, events, heard } = reader
  const id = await create(app, 'Ann')
  await set(app, id, 'open')
  await app.graphql('mutation { failAccount(name: "x") { id } }')
  await app.graphql('mutation ($id: ID!) { dropAccount(id: $id) { id } }', { id })
  await reader.wait(3)
  t.match(heard, [
    { kind: 'INSERT', mutation: 'createAccount', entityType: 'Account', entityId: id, before: null },
    { kind: 'UPDATE', mutation: 'setAccount', entityId: id },
    { kind: 'DELETE', entityId: id, entity: null },
  ])
  t.match(JSON.parse(heard[1]!.before!), { status: 'new' }, 'with the row before')
  t.match(JSON.parse(heard[1]!.entity!), { status: 'open' })
  const shape = changes.shapeOfModel(app.kernel.generation.schema.types.get('Account') as ObjectType)
  const holds = changes.compileCondition("status.changed() and old.status == 'new'", shape)
  t.same(
    heard.map((event) => holds(changes.observe(event, shape))),
    [false, true, false],
  )
  t.ok(BigInt(heard[0]!.position) < BigInt(heard[1]!.position))
  t.equal(events.position, heard[2]!.position)
  t.equal(await events.positionOf(heard[1]!.id), heard[1]!.position)
  t.equal(await events.positionOf('00000000-0000-4000-8000-000000000000'), null)
  t.equal(await events.positionOf("'"), null)

  const page = await events.read(heard[0]!.position, 1)
  t.same(page, { events: [heard[1]], position: heard[1]!.position, isEnd: false, isTooOld: false })
  t.match(await events.read(page.position), { events: [heard[2]], isEnd: true })
  t.match(await events.read(events.position), { events: [], isEnd: true, isTooOld: false })
  t.match(await events.read('99999999999999999999'), { events: [], isEnd: true }, 'another process may be further')
  await t.rejects(events.read('x'), { code: 'BAD_USER_INPUT' })

  await create(app, 'fails')
  await reader.wait(4)

  const end = new AbortController()
  const pages: EventPage[] = []
  const after = heard[1]!.position
  const reading = (async () => {
    for await (const one of events.stream(after, end.signal)) pages.push(one)
  })()
  for (let n = 0; n < 40; n++) await create(app, `n${n}`)
  await reader.wait(44)
  const read = () => pages.flatMap((one) => one.events.map((event) => event.id))
  for (let left = 400; read().length < 42 && left > 0; left--) await sleep(5)
  end.abort()
  await reading
  t.same(
    read(),
    heard.slice(2).map((event) => event.id),
    'history, then live: no gap and no duplicate',
  )
}

t.test('in-memory', { skip: !hasPostgres }, async (t) => {
  const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
  const reader = await open(t, database, { backend: 'in-memory' })
  t.equal(reader.events.isDurable, false)
  await behaviour(t, reader)
  const old = await reader.events.read('17')
  t.equal(old.isTooOld, true, 'positions of a process before are too old')
  t.equal(old.events.length, 44)
})

t.test('sqldb', { skip: !hasPostgres }, async (t) => {
  const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
  const sql = (text: string) => runOnServer(new URL(database.url).pathname.slice(1), text)
  const first = await open(t, database, { retention_hours: 0 })
  const second = await open(t, database, {})
  t.equal(first.events.isDurable, true)
  await behaviour(t, first)
  await second.wait(44)
  t.same(
    second.heard.map((event) => event.id),
    first.heard.map((event) => event.id),
    'each process hears of each once',
  )
  await create(second.app, 'there')
  await first.wait(45)

  const { host, port } = SERVICES.postgres
  const proxy = await createTcpProxy(t, host, port)
  const url = new URL(database.url)
  url.host = `127.0.0.1:${proxy.port}`
  const third = await open(t, database, {}, String(url))
  t.equal(third.heard.length, 0, 'from now on')
  const history = await third.events.read(first.heard[40]!.position)
  t.same(
    history.events.map((event) => event.id),
    first.heard.slice(41).map((event) => event.id),
    'what it has not heard itself it reads',
  )
  t.equal(await third.events.positionOf(first.heard[0]!.id), first.heard[0]!.position)
  await proxy.cut()
  for (let left = 400; third.states.length === 0 && left > 0; left--) await sleep(10)
  await create(first.app, 'meanwhile')
  await proxy.mend()
  await third.wait(1)
  t.match(JSON.parse(third.heard[0]!.entity!), { name: 'meanwhile' })
  t.same(third.states, [false, true])

  // What the relay removes when it is old enough.
  const gone = first.heard[9]!.position
  await sql(`DELETE FROM svc_outbox WHERE position <= ${gone}; UPDATE svc_event_relay SET removed = ${gone}`)
  t.match(await third.events.read(first.heard[9]!.position, 1), {
    isTooOld: false,
    events: [{ id: first.heard[10]!.id }],
  })
  t.match(await third.events.read(first.heard[8]!.position, 1), {
    isTooOld: true,
    events: [{ id: first.heard[10]!.id }],
  })
  t.equal(await third.events.positionOf(first.heard[0]!.id), null)
})

for (const name of ['kvstore', 'msgbus', 'mariadb'] as const) {
  t.test(name, { skip: !hasPostgres }, async (t) => {
    if (!(await requireService(t, BUSES[name]))) return
    const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
    const { options, wipe } = await setUpBus(t, name)
    const first = await open(t, database, options)
    const second = await open(t, database, options)
    t.equal(first.events.isDurable, true)
    await behaviour(t, first)
    await second.wait(44)
    const large = 'x'.repeat(1_000_000)
    await create(second.app, large)
    await first.wait(45)
    t.equal(JSON.parse(first.heard[44]!.entity!).name, large, 'what no bus holds comes as well')

    await wipe()
    for (let n = 0; n < 5; n++) await create(second.app, `after ${n}`)
    await Promise.all([first.wait(50), second.wait(50)])
    const ids = (reader: Reader) => reader.heard.map((event) => event.id)
    t.same(ids(first), ids(second), 'what a bus loses is carried again; each hears of each once')
    t.equal(new Set(ids(first)).size, 50)
  })
}
