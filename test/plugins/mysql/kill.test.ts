import t from 'tap'
import { connectionAttempts } from '../../../plugins/mysql/connection-options.ts'
import { SideKiller } from '../../../plugins/mysql/open-connection.ts'
import { connectRaw, type RawConnection } from '../../../plugins/mysql/raw-connection.ts'
import { runText } from '../../../plugins/mysql/run-script.ts'
import { type ServerFacts, sessionText, setUpSession } from '../../../plugins/mysql/server-session.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { createHostileProxy } from '../../helpers/hostile-proxy.ts'
import { SERVICES, type TestLike } from '../../helpers/services.ts'
import { CONFIG, onMariaDb, onServer, open, read, single, until } from './open-mysql.ts'

const RUNNING =
  "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'SELECT SLEEP(%'"

/** Bytes of the greeting before the number of the session: the header, the protocol, and the version with its end. */
function numberAt(greeting: Buffer): number {
  return greeting.indexOf(0, 5) + 1
}

/** A proxy that numbers its connections itself. */
function renumbered(bytes: Buffer): Buffer {
  const isGreeting = bytes[3] === 0 && bytes[4] === 10 && bytes.includes('MariaDB')
  if (isGreeting) bytes.writeUInt32LE(bytes.readUInt32LE(numberAt(bytes)) + 1, numberAt(bytes))
  return bytes
}

async function session(t: TestLike, url: string): Promise<{ raw: RawConnection; facts: ServerFacts }> {
  const raw = await connectRaw(connectionAttempts({ ...CONFIG, url }))
  t.teardown(() => raw.stream.destroy())
  return { raw, facts: await setUpSession(raw) }
}

await onMariaDb(t, 'a statement is killed only in the session that runs it', '', async (t, url) => {
  const { raw, facts } = await session(t, url)
  const killer = new SideKiller({
    attempts: connectionAttempts({ ...CONFIG, url }),
    makeRoom: () => Promise.resolve(false),
  })
  t.teardown(() => killer.close())
  const others: readonly (readonly [string, ServerFacts])[] = [
    ['its number was given to another connection', { ...facts, client: '10.1.2.3:4567' }],
    ['a proxy may give the session to others', { ...facts, client: null }],
    ['the session is on another server', { ...facts, server: 'other:3306:1' }],
    ['the session has ended', { ...facts, sessionId: 2 ** 31 }],
  ]
  const slept = runText(raw, 'SELECT SLEEP(1.5)')
  const watcher = await open(t, url)
  await until(async () => (await single(watcher, RUNNING)) === '1')
  for (const [what, wrong] of others) await t.rejects(killer.kill(wrong), { code: 'SERVICE_UNAVAILABLE' }, what)
  t.strictSame((await slept).map(String), ['0'], 'the statement of the other session ends by itself')
  const endless = runText(raw, 'SELECT SLEEP(30)').catch((error: unknown) => error)
  await until(async () => (await single(watcher, RUNNING)) === '1')
  await killer.kill(facts)
  t.match(await endless, { errno: 1317 }, 'the own one is killed')
})

await onMariaDb(t, 'behind a proxy that numbers sessions itself, svc closes the connection', '', async (t, direct) => {
  const { host, port } = SERVICES.mariadb
  const proxy = await createHostileProxy(t, host, port)
  proxy.change(renumbered)
  const url = new URL(direct)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const database = await open(t, url.href, { config: { pool_max: 2, ssl_mode: 'disable' } })
  const watcher = await open(t, direct)
  const id = await single(database, 'SELECT CONNECTION_ID()')
  const cancel = createCancellable()
  const sleeping = database.query(read('SELECT SLEEP(30)'), [], cancel).catch((error: unknown) => error)
  await until(async () => (await single(watcher, RUNNING)) === '1')
  cancel.abort('timeout')
  t.match(await sleeping, { code: 'TIMEOUT' })
  await until(() => database.pool.active === 0)
  t.equal(await single(watcher, RUNNING), '1', 'nothing was killed')
  t.not(await single(database, 'SELECT CONNECTION_ID()'), id, 'another connection')
  await onServer(direct, `KILL ${id}`)
})

await onMariaDb(t, 'a server whose own mode is strict for all tables takes the settings', '', async (t, url) => {
  const { raw, facts } = await session(t, url)
  await runText(raw, "SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
  await runText(raw, sessionText(facts))
  t.strictSame(String(await runText(raw, 'SELECT @@group_concat_max_len, @@warning_count')), '1073741824,0')
})
