import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import { type BusEntry, readEntry, writeEntry } from '../../../plugins/observers/bus/bus-entry.ts'
import { openBusIntake } from '../../../plugins/observers/bus/bus-intake.ts'
import { type EventBus, groupEntries } from '../../../plugins/observers/bus/event-bus.ts'
import { connectionOf, createMariadbBus } from '../../../plugins/observers/bus/mariadb-bus.ts'
import { createNatsBus } from '../../../plugins/observers/bus/nats-bus.ts'
import { openBus } from '../../../plugins/observers/bus/open-bus.ts'
import { createRedisBus } from '../../../plugins/observers/bus/redis-bus.ts'
import { Unread } from '../../../plugins/observers/bus/unread.ts'
import type { EventSource } from '../../../plugins/observers/feed/event-source.ts'
import type { ObserverOptions } from '../../../plugins/observers/options.ts'
import { OutboxReads } from '../../../plugins/observers/sql/outbox-reads.ts'
import { STATUS } from '../../../plugins/observers/sql/statements.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { BUSES, type BusName, KEYS, setUpBus } from './buses.ts'

const { event: SAMPLE } = sampleChange(
  shapeOfAuthored({ name: 'Account', fields: [{ name: 'id', type: 'ID!' }] } as never),
)

function eventsOf(first: number, count: number, text = 'x'): readonly ChangeEvent[] {
  return Array.from({ length: count }, (_, n) => ({
    ...SAMPLE,
    position: String(first + n),
    entity: JSON.stringify(text),
  }))
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 3000; left > 0; left--) {
    if (await holds()) return
    await sleep(20)
  }
  throw new Error(`It was never so that ${what}`)
}

const optionsOf = (more: object) =>
  ({ stream: 'svc_events', subject_prefix: 'svc.mutation', ...more }) as ObserverOptions

/** A server that speaks no TLS, and keeps what it is told. */
async function openPlain(t: TestLike, greeting: string) {
  const heard: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      heard.push(data)
      // What is no TLS gets no further.
      if (data[0] === 0x16) socket.destroy()
    })
    socket.write(greeting)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    at: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => Buffer.concat(heard).toString('latin1'),
  }
}

t.test('requested TLS is used, or the connection fails', async (t) => {
  const info = { server_id: 'a', version: '2.10.0', proto: 1, headers: true, max_payload: 1_000_000, jetstream: true }
  const plain = await openPlain(t, `INFO ${JSON.stringify(info)}\r\n`)
  const nats = (await openBus(optionsOf({ backend: 'msgbus', msgbus_url: `tls://user:word@${plain.at}` })))!
  await t.rejects(nats.last(), /tls/)
  await nats.close()
  t.notMatch(plain.heard(), 'word')
  await t.rejects((await createNatsBus(`ws://${plain.at}`, 's', 's')).last(), /nats:\/\/ or tls:/)

  const mute = await openPlain(t, '')
  const redis = (await openBus(optionsOf({ backend: 'kvstore', kvstore_url: `REDISS://user:word@${mute.at}` })))!
  await t.rejects(redis.last())
  await redis.close()
  t.equal(mute.heard().charCodeAt(0), 0x16, 'a handshake')
  t.notMatch(mute.heard(), 'word')

  t.same(connectionOf('mysql://u@db/events?charset=utf8mb4'), { uri: 'mysql://u@db/events?charset=utf8mb4' })
  t.same(connectionOf('mysql://u@db/events?ssl=true'), { uri: 'mysql://u@db/events', ssl: { verifyIdentity: true } })
  t.same(connectionOf('mysql://u@db/e?ssl={"ca":"x"}').ssl, { verifyIdentity: true, ca: 'x' })
  for (const query of [
    'ssl=',
    'ssl=1',
    'ssl=[]',
    'ssl-mode=REQUIRED',
    'sslmode=require',
    'tls=true',
    'useSSL=true',
    'ssl=true&ssl={}',
  ])
    t.throws(() => connectionOf(`mysql://u@db/events?${query}`), { code: 'SVC_CONFIG_INVALID' }, query)
  if (!(await requireService(t, 'mariadb'))) return
  const { options } = await setUpBus(t, 'mariadb')
  const mariadb = (await openBus(optionsOf({ ...options, mariadb_url: `${options.mariadb_url}?ssl=true` })))!
  await t.rejects(mariadb.last(), /secure|ssl|certificate/i)
  await mariadb.close()
})

t.test('an entry on the bus is plain JSON with exact numbers', (t) => {
  const row = '{"id":7,"total":9007199254740993.10,"note":"a,\\"data\\":{\\n}"}'
  const old = '{"id":7,"total":1}'
  const event: ChangeEvent = {
    ...SAMPLE,
    kind: 'UPDATE',
    mutation: 'setAccount',
    entityId: '7',
    entity: row,
    before: old,
    updatedFields: ['total', ',"data":'],
    user: ',"data":1}',
    tenant: 't',
    position: '12',
    trace: null,
  }
  const text = writeEntry('11', event)
  t.same(readEntry(text), { previous: '11', event, isPartial: false })
  t.same(readEntry(`{"subject":"a.b",${text.slice(1)}`)?.event, event)
  t.match(JSON.parse(text), {
    event: 'UPDATE',
    entity: 'Account',
    entity_id: /^7$/,
    timestamp: SAMPLE.time,
    user_id: ',"data":1}',
    tenant_id: /^t$/,
    data: { id: 7, note: 'a,"data":{\n}' },
    old: { id: 7, total: 1 },
  })
  t.match(text, row, 'to the digit')
  const gone: ChangeEvent = { ...event, kind: 'DELETE', entity: null }
  t.match(JSON.parse(writeEntry('11', gone)), { event: 'DELETE', data: { id: 7, total: 1 } })
  t.same(readEntry(writeEntry('11', gone))?.event, gone)
  for (const foreign of [
    '',
    '{',
    'null',
    '{"event":"x"}',
    '{"event":"x","data":{}}',
    '[1,"data":2]',
    '{"previous":"1","data":',
  ])
    t.equal(readEntry(foreign), null, foreign)
  t.end()
})

t.test('groups of entries', (t) => {
  const large = 'y'.repeat(800_000)
  const events = [...eventsOf(8, 3), ...eventsOf(11, 11, large), ...eventsOf(22, 1, 'z'.repeat(900_001))]
  const groups = [...groupEntries('7', events)]
  t.same(
    groups.map(({ previous, entries }) => [previous, entries.length]),
    [
      ['7', 7],
      ['14', 4],
      ['18', 4],
    ],
  )
  const read = groups.flatMap(({ entries }) => entries.map(({ text }) => readEntry(text)!))
  t.same(
    read.map(({ previous, event }) => [previous, event.position]),
    events.map(({ position }) => [String(Number(position) - 1), position]),
  )
  t.same(read.map(({ isPartial }) => isPartial).lastIndexOf(false), events.length - 2)
  t.equal(readEntry(writeEntry('0', eventsOf(1, 1, '€'.repeat(400_000))[0]!))?.isPartial, true, 'bytes are counted')
  t.same([...groupEntries('7', [])], [])
  t.end()
})

for (const name of ['kvstore', 'msgbus', 'mariadb'] as const) {
  t.test(`${name}: more at once than it takes in one statement`, async (t) => {
    if (!(await requireService(t, BUSES[name]))) return
    const { options } = await setUpBus(t, name)
    const bus = (await openBus(optionsOf(options)))!
    t.teardown(() => bus.close())
    t.equal(await bus.last(), '0')
    await bus.append('0', eventsOf(1, 20, 'x'.repeat(850_000)), true)
    t.equal(await bus.last(), '20')
    await bus.append('20', eventsOf(21, 1), false)
    await t.rejects(bus.append('20', eventsOf(22, 1), true), { name: 'BusBehind' })
    const consumer = await bus.consume('0', () => {})
    const read: string[] = []
    while (read.length < 21) {
      for (const { event } of consumer.read(10)) {
        read.push(event.position)
        consumer.done(event.position)
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    t.same(
      read,
      Array.from({ length: 21 }, (_, n) => String(n + 1)),
    )
    await consumer.close()
  })
}

const CREATE: Readonly<Record<BusName, (url: string, stream: string) => Promise<EventBus>>> = {
  kvstore: (url, stream) => createRedisBus(url, stream, 300),
  msgbus: (url, stream) => createNatsBus(url, stream, stream, 300),
  mariadb: (url, stream) => createMariadbBus(url, stream, 300),
}

for (const name of ['kvstore', 'msgbus', 'mariadb'] as const) {
  t.test(`${name}: a server that is gone without a word is connected to anew`, async (t) => {
    if (!(await requireService(t, BUSES[name]))) return
    const { options, say } = await setUpBus(t, name)
    const channel = `svc_${options.stream}`
    const { host, port } = SERVICES[BUSES[name]]
    const proxy = await createTcpProxy(t, host, port)
    const url = new URL(options[KEYS[name]]!)
    url.host = `127.0.0.1:${proxy.port}`
    const bus = await CREATE[name](String(url), options.stream!)
    const end = new AbortController()
    t.teardown(async () => {
      end.abort()
      proxy.lose()
      await bus.close()
    })
    const heard: string[] = []
    const said: string[] = []
    const begun: string[] = []
    // As a process that reads: what fails is begun again.
    const tailing = (async () => {
      while (!end.signal.aborted) {
        const listener = {
          begin: async (last: string) => void begun.push(last),
          take: async (entries: readonly BusEntry[]) => void heard.push(...entries.map(({ event }) => event.position)),
        }
        await bus.tail(listener, end.signal).catch(() => sleep(50))
      }
    })()
    await bus.hear!(channel, (text) => said.push(text))
    await until(() => begun.length === 1, 'it listens')
    await bus.append('0', eventsOf(1, 1), true)
    await until(() => heard.length === 1, 'it is heard')

    proxy.lose()
    const other = await CREATE[name](options[KEYS[name]]!, options.stream!)
    t.teardown(() => other.close())
    await other.append('1', eventsOf(2, 1), true)
    await until(async () => (await bus.last().catch(() => '')) === '2', 'it is asked again')
    // Who polls may have had no question open: another connection goes on where it was.
    await until(() => begun.length > 1 || heard.at(-1) === '2', 'it listens again')
    if (begun.length > 1) t.equal(begun.at(-1), '2', 'and is told where the bus is by now')
    else t.equal(name, 'mariadb', 'nobody else polls')
    await other.append('2', eventsOf(3, 1), false)
    await until(() => heard.at(-1) === '3', 'what comes is heard')
    await until(async () => {
      await say(channel, 'hello')
      return said.length > 0
    }, 'messages are, too')
    t.equal(said[0], 'hello')
    end.abort()
    await tailing
  })
}

t.test('msgbus: what was on its way when a connection broke is missed, though nothing comes behind it', async (t) => {
  if (!(await requireService(t, 'nats'))) return
  const { options } = await setUpBus(t, 'msgbus')
  const { host, port } = SERVICES.nats
  const proxy = await createTcpProxy(t, host, port)
  const stream = options.stream!
  const bus = await createNatsBus(`nats://127.0.0.1:${proxy.port}`, stream, stream)
  t.teardown(() => bus.close())
  const other = await createNatsBus(options.msgbus_url!, stream, stream)
  t.teardown(() => other.close())
  const end = new AbortController()
  const begun: string[] = []
  const heard: string[] = []
  const listener = {
    begin: async (last: string) => void begun.push(last),
    take: async (entries: readonly BusEntry[]) => void heard.push(...entries.map(({ event }) => event.position)),
  }
  const first = bus.tail(listener, end.signal)
  await until(() => begun.length === 1, 'it listens')
  await other.append('0', eventsOf(1, 1), true)
  await until(() => heard.length === 1, 'it is heard')
  proxy.freeze()
  await other.append('1', eventsOf(2, 1), false)
  // So that the server has sent it, and counts it as given.
  await sleep(300)
  await proxy.cut()
  proxy.thaw()
  await proxy.mend()
  await t.rejects(first, /stream of the bus has ended/, 'who reads begins anew')
  const second = bus.tail(listener, end.signal)
  await until(() => begun.length === 2, 'it listens again')
  t.equal(begun[1], '2')
  end.abort()
  await second
})

for (const name of Object.keys(BUSES) as BusName[]) {
  t.test(`${name}: a listener that is stopped before it listens ends`, async (t) => {
    if (!(await requireService(t, BUSES[name]))) return
    const { options } = await setUpBus(t, name)
    const bus = await CREATE[name](options[KEYS[name]]!, options.stream!)
    t.teardown(() => bus.close())
    await bus.append('0', eventsOf(1, 1), true)
    const end = new AbortController()
    const listener = { begin: async () => end.abort(), take: async () => void t.fail('it takes nothing') }
    await bus.tail(listener, end.signal)
    t.ok(end.signal.aborted)
  })
}

t.test('events that the bus has lost come from the outbox', async (t) => {
  const has = eventsOf(1, 12)
  const asked: string[] = []
  const outbox = {
    async history(after: string, upTo: string, limit: number) {
      asked.push(`${after}-${upTo}`)
      const events = has.filter(({ position }) => Number(position) > Number(after) && Number(position) <= Number(upTo))
      return { events: events.slice(0, limit), isTooOld: false }
    },
  } as unknown as EventSource
  const entry = (position: number): BusEntry => readEntry(writeEntry(String(position - 1), has[position - 1]!))!
  // 3 to 8 were trimmed, and 12, behind which nothing comes.
  const entries = [1, 2, 3, 9, 10, 11, 2].filter((position) => position !== 3).map(entry)
  const done: string[] = []
  const bus = {
    last: async () => '12',
    consume: async () => ({
      read: (limit: number) => entries.splice(0, limit),
      done: (position: string) => done.push(position),
      close: async () => {},
    }),
  } as unknown as EventBus
  const database = () => ({ query: async (q: unknown) => ({ rows: q === STATUS ? [['1', '12']] : [] }) }) as never
  const options = {
    bus,
    database,
    outbox,
    reads: new OutboxReads(database),
    floor: '1',
    hear: () => () => {},
    arrived() {},
  }
  const intake = await openBusIntake({ ...options, lateMs: 0 })
  t.teardown(() => intake.close())
  const read: string[][] = []
  for (let n = 0; n < 6; n++) read.push((await intake.read(4)).taken.map(({ event }) => event.position))
  t.same(read, [['2', '3', '4', '5', '6'], ['7', '8', '9', '10'], ['11'], ['12'], [], []])
  t.same(asked, ['2-8', '6-8', '11-12'])
  t.same(done, ['1', '2'], 'what came already is taken care of')

  const patient = await openBusIntake({ ...options, floor: '11' })
  t.teardown(() => patient.close())
  t.same((await patient.read(4)).taken, [], 'a bus has its time')
})

t.test('the buffer of unread entries is full at its limits of entries and bytes', (t) => {
  const unread = new Unread()
  const of = (text: string, count: number) =>
    eventsOf(1, count, text).map((event) => ({ previous: '0', event, isPartial: false }))
  unread.add(of('x', 2000))
  t.equal(unread.isFull, false)
  unread.add(of('x', 1))
  t.equal(unread.isFull, true)
  t.equal(unread.take(1000).length, 1000)
  t.equal(unread.isFull, false)
  unread.add(of('y'.repeat(800_000), 42))
  t.equal(unread.isFull, true, '64 MiB')
  t.equal(unread.take(1002).length, 1002)
  t.equal(unread.isFull, false)
  t.equal(unread.take(100).length, 41)
  t.end()
})

t.test('a table is trimmed whole', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const { options } = await setUpBus(t, 'mariadb')
  const bus = (await openBus(optionsOf(options)))!
  t.teardown(() => bus.close())
  await bus.append('0', eventsOf(30_000, 1), true)
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(options.mariadb_url!)
  t.teardown(() => connection.end())
  const table = options.stream!
  await connection.query(`INSERT INTO ${table} (position, entry) SELECT seq, '' FROM seq_1_to_20001`)
  await bus.trim('20001')
  const [rows] = await connection.query(`SELECT position FROM ${table} ORDER BY position`)
  t.same(rows, [{ position: 20_001 }, { position: 30_000 }])
})

t.test('a password with an unencoded percent sign', async (t) => {
  for (const name of ['kvstore', 'msgbus'] as const) {
    await t.test(name, async (t) => {
      if (!(await requireService(t, BUSES[name]))) return
      const { options } = await setUpBus(t, name)
      // Neither server asks for a password, and each takes any.
      const url = options[KEYS[name]]!.replace('://', '://default:50%off@')
      const bus = (await openBus({ ...options, [KEYS[name]]: url } as never)) as EventBus
      t.teardown(() => bus.close())
      t.equal(await bus.last(), '0')
    })
  }
})
