import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createPostgresDatabase, createSqlite, runOnServer } from '../../helpers/databases.ts'
import { createHostileProxy } from '../../helpers/hostile-proxy.ts'
import { type OpenAppOptions, openApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { until } from '../driver-suite.ts'
import { REST_SCHEMA, REST_SQL, restPlugin } from './world.ts'

/** `Idempotency-Key`: the database decides whether a write happened, whatever became of the process or of its connection. */

/** A user whose name begins with `slow` takes a while to commit. */
const SQL = `${REST_SQL}
CREATE FUNCTION wait_a_while() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock(77), pg_sleep(1); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON tb_user DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.name LIKE 'slow%') EXECUTE FUNCTION wait_a_while();`
const IS_COMMITTING = `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objid = 77 AND l.granted`

type Body = Readonly<Record<string, unknown>> | readonly unknown[]
interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly code: string | undefined
}

async function world(t: TestLike) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const name = new URL(url).pathname.slice(1)
  const rows = (text: string) => runOnServer(name, text)
  const count = async (user: string) => (await rows(`SELECT FROM tb_user WHERE name = '${user}'`)).length
  return { url, rows, count }
}

const start = async (t: TestLike, url: string, rest: object = {}, options: OpenAppOptions = {}) => {
  const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, {
    ...options,
    plugins: [restPlugin(rest), testCredential()],
  })
  const send = async (path: string, body: Body, headers: Readonly<Record<string, string>>): Promise<Sent> => {
    const reply = await app.inject({ method: 'POST', url: `/rest/v1${path}`, headers, body: body as object })
    return { ...reply, code: reply.text === '' ? undefined : reply.json<{ error?: { code: string } }>().error?.code }
  }
  return { app, send }
}
const ID = { name: 'id', type: 'ID!' }
const key = () => ({ 'idempotency-key': randomUUID() })

t.test('Idempotency-Key and the database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return

  await t.test('a process that has lost its answers gives them all the same, and does nothing twice', async (t) => {
    const { url, count } = await world(t)
    const before = await start(t, url)
    const [one, many] = [key(), key()]
    const rows = [{ name: 'M1' }, { name: 'M2' }]
    const [first, list] = [
      await before.send('/users?select=id,name', { name: 'Ida' }, one),
      await before.send('/users', rows, many),
    ]
    t.same([first.status, list.status, list.headers['x-rows-affected']], [201, 201, '2'])
    await before.app.close()

    const after = await start(t, url)
    const again = await after.send('/users?select=id,name', { name: 'Ida' }, one)
    t.same([again.status, again.text, again.headers.location], [201, first.text, first.headers.location])
    t.same([again.headers['idempotency-replayed'], again.headers['idempotency-key']], ['true', 'replayed=true'])
    const listAgain = await after.send('/users', rows, many)
    t.same([listAgain.status, listAgain.text, listAgain.headers['x-rows-affected']], [201, list.text, '2'])
    t.equal(listAgain.headers['idempotency-replayed'], 'true')
    t.equal((await after.send('/users?select=id,name', { name: 'Ida' }, one)).text, first.text, 'from memory by now')

    const fresh = await start(t, url)
    const other = await fresh.send('/users?select=id,name', { name: 'Eve' }, one)
    t.same([other.status, other.code], [422, 'IDEMPOTENCY_CONFLICT'], 'another body is another request')
    const mended = await fresh.send('/users?select=id,name', { name: 'Ida' }, one)
    t.same([mended.status, mended.text], [201, first.text], 'which takes nothing from the first')
    const stranger = await fresh.send('/users?select=id,name', { name: 'Ida' }, { ...one, ...as({ subject: 'bob' }) })
    t.same([stranger.status, stranger.headers['idempotency-replayed']], [201, undefined], 'keys are per caller')
    t.same([await count('Ida'), await count('M1'), await count('M2'), await count('Eve')], [2, 1, 1, 0])
  })

  await t.test('processes that share nothing but the database', async (t) => {
    const { url, count } = await world(t)
    const [one, other] = [await start(t, url), await start(t, url)]
    const header = key()
    const both = await Promise.all([one, other].map(({ send }) => send('/users', { name: 'slow at once' }, header)))
    t.same(
      both.map(({ status }) => status),
      [201, 201],
    )
    t.equal(both[0]?.text, both[1]?.text)
    t.equal(await count('slow at once'), 1)
  })

  await t.test('a connection that breaks during COMMIT: the same key says what became of it', async (t) => {
    const { url, count } = await world(t)
    const proxy = await createHostileProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
    const behind = new URL(url)
    behind.host = `127.0.0.1:${proxy.port}`
    const { send } = await start(t, url, {}, { url: behind.href })
    for (const part of ['answer', 'request'] as const) {
      const header = key()
      const user = `lost ${part}`
      await until(async () => (await send('/users', { name: 'warm' }, key())).status === 201)
      const lost = proxy.loseAt('svc_commit', part)
      const first = send('/users', { name: user }, header)
      await lost
      const { status, text } = await first
      t.same([status, JSON.parse(text).error.details.outcome], [503, 'unknown'], part)
      let again = await send('/users', { name: user }, header)
      while (again.status === 503) again = await send('/users', { name: user }, header)
      t.same([again.status, await count(user)], [201, 1], 'written once')
      t.equal(
        again.headers['idempotency-replayed'],
        part === 'answer' ? 'true' : undefined,
        'by the first or not at all',
      )
      const other = await send('/users', { name: 'other' }, header)
      t.same([other.status, other.code], [422, 'IDEMPOTENCY_CONFLICT'])
    }
  })

  await t.test('a connection that breaks while COMMIT goes on: the next waits for its end', async (t) => {
    const { url, rows, count } = await world(t)
    const proxy = await createHostileProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
    const behind = new URL(url)
    behind.host = `127.0.0.1:${proxy.port}`
    const { send } = await start(t, url, {}, { url: behind.href })
    const header = key()
    const first = send('/users', { name: 'slow end' }, header)
    await until(async () => (await rows(IS_COMMITTING)).length === 1)
    proxy.cut()
    t.equal((await first).status, 503)
    let again = await send('/users', { name: 'slow end' }, header)
    while (again.status === 503) again = await send('/users', { name: 'slow end' }, header)
    t.same([again.status, again.headers['idempotency-replayed'], await count('slow end')], [201, 'true', 1])
  })

  for (const store of ['memory', 'redis'] as const) {
    await t.test(`a process that is killed during COMMIT, its answers in ${store}`, async (t) => {
      if (store === 'redis' && !(await requireService(t, 'redis'))) return
      const { url, rows, count } = await world(t)
      const { host, port } = SERVICES.redis
      const kvstore = store === 'redis' ? [`redis://${host}:${port}`] : []
      const program = fileURLToPath(new URL('./write-keys-killed.ts', import.meta.url))
      const run = async () => {
        const child = fork(program, [url, ...kvstore], { execArgv: ['--import=tsx'], stdio: 'ignore' })
        t.teardown(() => void child.kill('SIGKILL'))
        const [base] = (await once(child, 'message')) as [string]
        const send = (headers: Readonly<Record<string, string>>) =>
          fetch(`${base}/rest/v1/users`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify({ name: 'slow death' }),
          })
        return { child, send }
      }
      const header = key()
      const first = await run()
      const lost = first.send(header).catch(() => null)
      await until(async () => (await rows(IS_COMMITTING)).length === 1)
      first.child.kill('SIGKILL')
      t.equal(await lost, null)

      const { send } = await run()
      if (store === 'redis') {
        t.equal((await send(header)).status, 409, 'as long as the claim counts')
        const client = new (await import('ioredis')).Redis(port, host)
        t.teardown(() => client.disconnect())
        // The claim ends by itself behind the longest request; the test does not wait for that.
        for (const name of await client.keys('svc:my-svc-app:idempotency:*')) {
          if ((await client.get(name))?.includes('running') === true) await client.del(name)
        }
      }
      const again = await send(header)
      t.same([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
      t.equal(await count('slow death'), 1)
    })
  }

  await t.test('a role of the request needs no right to the table of keys', async (t) => {
    const role = `svc_test_${randomUUID().replaceAll('-', '').slice(0, 12)}`
    const { url, rows, count } = await world(t)
    t.teardown(async () => {
      await runOnServer('postgres', `DROP ROLE IF EXISTS ${role}`)
    })
    await rows('ALTER TABLE tb_user ALTER COLUMN code SET DEFAULT current_user')
    await rows(`CREATE ROLE ${role}; GRANT SELECT, INSERT ON tb_user, v_user TO ${role}`)
    t.teardown(() => rows(`DROP OWNED BY ${role}`))
    const database = { role_claim: 'role', anonymous_role: role }
    const header = key()
    const { send } = await start(t, url, {}, { database })
    const first = await send('/users', { name: 'By role' }, header)
    t.equal(first.status, 201)
    t.same(
      await rows("SELECT code FROM tb_user WHERE name = 'By role'"),
      [{ code: role }],
      'the write is that of the role',
    )
    const again = await (await start(t, url, {}, { database })).send('/users', { name: 'By role' }, header)
    t.same([again.text, again.headers['idempotency-replayed'], await count('By role')], [first.text, 'true', 1])
    t.same(await rows(`SELECT has_table_privilege('${role}', 'svc_idempotency', 'SELECT') AS may`), [{ may: false }])
  })

  await t.test('a key counts as long as the configuration says, and its row is deleted', async (t) => {
    const { url, rows, count } = await world(t)
    const header = key()
    const rest = { idempotency_ttl_seconds: 1 }
    await (await start(t, url, rest)).send('/users', { name: 'Short' }, header)
    await pause(1100)
    const { send } = await start(t, url, rest)
    const again = await send('/users', { name: 'Short' }, header)
    t.same([again.status, again.headers['idempotency-replayed'], await count('Short')], [201, undefined, 2])
    await until(async () => (await rows('SELECT FROM svc_idempotency')).length === 1)
  })

  await t.test('a write to another database has its key there', async (t) => {
    const url = await createPostgresDatabase(t)
    const crm = await createSqlite(t, {
      sql: 'CREATE TABLE tb_lead (id integer PRIMARY KEY, name text NOT NULL); CREATE VIEW v_lead AS SELECT * FROM tb_lead',
      scripts: {
        fn_create_lead: '-- :name text\n-- returns integer\nINSERT INTO tb_lead (name) VALUES (:name) RETURNING id;',
      },
    })
    const schema = tableSchema(
      { name: 'Lead', database: 'crm', list: 'leads', fields: [ID, { name: 'name', type: 'String!' }] },
      {
        mutations: [
          { name: 'create_lead', type: 'Lead', operation: 'CREATE', arguments: [{ name: 'name', type: 'String!' }] },
        ],
      },
    )
    const send = async (headers: Readonly<Record<string, string>>) => {
      const app = await openApp(t, { kind: 'postgres', url }, schema, { databases: { crm }, plugins: [restPlugin()] })
      const reply = await app.inject({ method: 'POST', url: '/rest/v1/leads', headers, body: { name: 'Lea' } })
      const rows = async (text: string) =>
        (await app.databases.get('crm')!.query({ name: null, text, readOnly: true }, [], null)).rows
      return {
        ...reply,
        leads: await rows('SELECT name FROM tb_lead'),
        keys: (await rows('SELECT id FROM svc_idempotency')).length,
      }
    }
    const header = key()
    const first = await send(header)
    t.same([first.status, first.leads, first.keys], [201, [['Lea']], 1])
    const again = await send(header)
    t.same([again.text, again.headers['idempotency-replayed'], again.leads], [first.text, 'true', [['Lea']]])
    t.same(
      await runOnServer(new URL(url).pathname.slice(1), "SELECT FROM pg_class WHERE relname = 'svc_idempotency'"),
      [],
    )
  })

  await t.test('without a table for keys a request with one is refused, and others go on', async (t) => {
    const { url, rows, count } = await world(t)
    const { app, send } = await start(t, url, {}, { svc: { create_tables: false } })
    const refused = await send('/users', { name: 'No table' }, key())
    t.same([refused.status, refused.code, await count('No table')], [501, 'NOT_IMPLEMENTED', 0])
    t.match(refused.text, /svc tables/)
    t.ok(app.signals.some((signal) => signal.type === 'warning' && /svc_idempotency/.test(signal.message)))
    t.equal((await send('/users', { name: 'No table' }, {})).status, 201)
    await rows('CREATE TABLE svc_idempotency (id text PRIMARY KEY, fingerprint text, answer text, expires_at bigint)')
    t.equal((await send('/users', { name: 'Table' }, key())).status, 201, 'without a restart')
  })

  await t.test('an answer that is not stored: the same request is answered that it was committed', async (t) => {
    const { url, count } = await world(t)
    const rest = { idempotency_max_answer_bytes: 4096 }
    const { app, send } = await start(t, url, rest)
    const name = 'Large'.repeat(1000)
    const header = key()
    const first = await send('/users?select=id,name', { name }, header)
    const told = await send('/users?select=id,name', { name }, header)
    t.same(
      [first.status, told.status, told.text, told.headers['x-preference-fallback'], told.headers.location],
      [201, 201, '', 'representation-unavailable', first.headers.location],
      'as long as the process knows how it was answered',
    )
    await app.close()
    const fresh = await start(t, url, rest)
    const again = await fresh.send('/users?select=id,name', { name }, header)
    const { error } = JSON.parse(again.text)
    t.same([again.status, error.code, error.details.outcome], [409, 'CONFLICT', 'committed'])
    t.same([again.headers['retry-after'], again.headers['idempotency-replayed']], [undefined, 'true'])
    t.equal(await count(name), 1)
  })

  await t.test('a table for keys whose columns are of other types is refused by their names', async (t) => {
    const right = { id: 'text', fingerprint: 'varchar(64)', answer: 'text', expires_at: 'bigint' }
    const wrong = { id: 'uuid', fingerprint: 'bytea', answer: 'jsonb', expires_at: 'timestamptz' }
    for (const create_tables of [true, false]) {
      for (const [column, type] of [[null, null] as const, ...Object.entries(wrong)]) {
        const { url, rows, count } = await world(t)
        const columns = Object.entries({ ...right, ...(column === null ? {} : { [column]: type }) })
        await rows(`CREATE TABLE svc_idempotency (${columns.map((one) => one.join(' ')).join(', ')}, PRIMARY KEY (id))`)
        const { app, send } = await start(t, url, {}, { svc: { create_tables } })
        const { status } = await send('/users', { name: 'Typed' }, key())
        t.same([status, await count('Typed')], column === null ? [201, 1] : [501, 0], `${column} ${type}`)
        const said = app.signals.flatMap((signal) => (signal.type === 'warning' ? [signal.message] : []))
        const named = said.filter((message) => message.includes(`${column} is `) && message.includes('has to be'))
        t.equal(named.length, column === null ? 0 : 1, said.join('\n'))
        await app.close()
      }
    }
  })
})
