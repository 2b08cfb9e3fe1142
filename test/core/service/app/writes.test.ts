import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { pluginOf } from '../../../../core/base/errors/blame.ts'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { CommitEvent } from '../../../../core/contract/engine-stages.ts'
import type { Scope } from '../../../../core/contract/scope.ts'
import { createCancellable } from '../../../helpers/cancellable.ts'
import { createPostgresDatabase, eachDatabase, openDatabase, runOnServer } from '../../../helpers/databases.ts'
import { entry, plugin } from '../../../helpers/kernel.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { requireService, SERVICES } from '../../../helpers/services.ts'
import { createTcpProxy } from '../../../helpers/tcp-proxy.ts'
import { until } from '../../../plugins/driver-suite.ts'
import { NOTES, NOTES_SQL, OUTBOX } from './notes.ts'

/** Moments, outbox and commit of a mutation through the whole service. */

const ADD = 'mutation ($text: String!) { addNote(text: $text) { id text } }'

await eachDatabase(
  t,
  async (t, test) => {
    const committed: CommitEvent[] = []
    const hooks = (scope: Scope) => {
      scope.on('mutation:before', async (_ctx, { arguments: { text }, session }) => {
        if (text === 'refuse') throw new SvcError('NOT_TODAY', 'Not today.')
        if (text === 'break') await session.query({ name: null, text: 'SELECT secret FROM nowhere' }, [])
        if (text === 'hang') await new Promise(() => {})
      })
      scope.on('mutation:after', (_ctx, _call, writes) => {
        if (writes[0]?.entity?.includes('late') === true) throw new Error('secret')
      })
      scope.on('afterCommit', (event) => void committed.push(event))
    }
    const app = await openApp(t, test, NOTES, {
      plugins: [entry(plugin('hooks', hooks)), entry(plugin('outbox', (scope) => scope.writes(OUTBOX)))],
      server: { request_timeout_ms: 400 },
    })
    const outbox = async () =>
      (
        await app.database.query(
          { name: null, text: 'SELECT id::text, entity ->> $$text$$ FROM svc_outbox ORDER BY id' },
          [],
          null,
        )
      ).rows

    await t.test('a write is committed, stored and reported', async (t) => {
      t.match(await app.graphql(ADD, { text: 'a' }), { data: { addNote: { text: /^a$/ } }, errors: undefined })
      await app.kernel.settled(1000)
      t.equal(committed.length, 1)
      t.same(await outbox(), [[committed[0]?.writes[0]?.id, 'a']])
    })

    await t.test('a failing mutation hook writes nothing, and only the log names it', async (t) => {
      t.match(await app.graphql(ADD, { text: 'refuse' }), {
        errors: [{ message: 'Not today.', extensions: { code: 'NOT_TODAY' } }],
      })
      for (const text of ['break', 'too late']) {
        const before = app.signals.length
        const { errors } = await app.graphql(ADD, { text })
        t.match(errors, [{ message: 'An internal error occurred.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
        t.notMatch(JSON.stringify(errors), /secret|nowhere/)
        const failed = app.signals.slice(before).find(({ type }) => type === 'request-failed')
        t.equal(pluginOf((failed as { readonly error: unknown }).error), 'hooks', 'the log has the name')
      }
      const started = performance.now()
      const url = await app.listen()
      const hung = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: ADD, variables: { text: 'hang' } }),
      })
      t.match(await hung.json(), { errors: [{ message: /mutation:before/, extensions: { code: 'TIMEOUT' } }] })
      t.ok(performance.now() - started < 2000)
      t.equal((await outbox()).length, 1)
      t.match(
        await app.graphql(ADD, { text: 'b' }),
        { data: { addNote: { text: /^b$/ } } },
        'and the next one is served',
      )
    })
  },
  { sql: NOTES_SQL },
)

t.test('names of moments that are none are faults', async (t) => {
  const { testPlugin } = await import('../../../../core/testing/testing.ts')
  const boot = (setup: (scope: Scope) => void) => testPlugin(plugin('slip', setup) as never)
  await t.rejects(
    boot((scope) => scope.on('mutation:befor' as never, (() => {}) as never)),
    {
      message: /unknown stage "mutation:befor".* Did you mean "mutation:before"\?/,
    },
  )
  const faults: readonly [given: unknown, message: RegExp][] = [
    [null, /no object/],
    [{}, /for nothing/],
    [{ befor: true }, /unknown key "befor".* Did you mean "before"\?/],
    [{ before: 'yes' }, /"before" that is no boolean/],
    [{ mutations: ['a'], before: true }, /"mutations" that is no function/],
    [{ insert: { table: 'a b', columns: { id: 'id' } } }, /table "a b"/],
    [{ insert: { table: 'a.b.c', columns: { id: 'id' } } }, /table "a.b.c"/],
    [{ insert: { table: 'a', columns: {} } }, /no columns/],
    [{ insert: { table: 'a', columns: { 'x"y': 'id' } } }, /column "x"y"/],
    [
      { insert: { table: 'a', columns: { x: 'entity_id' } } },
      /"entity_id" for the column "x".* Did you mean "entityId"\?/,
    ],
  ]
  for (const [given, message] of faults) {
    await t.rejects(
      boot((scope) => scope.writes(given as never)),
      { code: 'SVC_BOOT_FAILED', message },
    )
  }
  let kept: Scope | null = null
  const late = plugin('late', (scope) => {
    kept = scope
  })
  const tested = await testPlugin(late as never)
  t.throws(() => kept!.writes({ before: true }), { code: 'SVC_SCOPE_PHASE' })
  await tested.close()
})

t.test('killed after COMMIT, before the event is sent: the outbox has it', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: NOTES_SQL })
  const child = fork(fileURLToPath(new URL('./killed.ts', import.meta.url)), [url], {
    execArgv: ['--import=tsx'],
    stdio: 'ignore',
  })
  const [code, signal] = await once(child, 'exit')
  t.same([code, signal], [null, 'SIGKILL'])
  const name = new URL(url).pathname.slice(1)
  t.match(await runOnServer(name, 'SELECT text FROM tb_note'), [{ text: 'last words' }])
  t.match(await runOnServer(name, "SELECT entity ->> 'text' AS text FROM svc_outbox"), [{ text: 'last words' }])
})

t.test('a connection that breaks during a write: the outcome is unknown, and the write is not repeated', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: NOTES_SQL })
  const name = new URL(url).pathname.slice(1)
  const proxy = await createTcpProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
  const behind = new URL(url)
  behind.host = `127.0.0.1:${proxy.port}`
  const lockedTimes = async (): Promise<unknown> => {
    const [row] = await runOnServer(
      name,
      `SELECT count(*)::int AS n FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE locktype = 'advisory' AND objid = 77 AND granted AND datname = current_database()`,
    )
    return row?.n
  }
  for (const hooked of [false, true]) {
    const told: CommitEvent[] = []
    const hooks = (scope: Scope) => {
      if (hooked) scope.on('mutation:before', () => {})
      scope.on('afterCommit', (event) => void told.push(event))
    }
    const app = await openApp(t, { kind: 'postgres', url }, NOTES, {
      url: behind.href,
      plugins: [entry(plugin('hooks', hooks))],
    })
    await until(async () => (await app.graphql('{ notes { id } }')).status === 200)
    // A transaction releases its locks a moment after its rows are visible.
    await until(async () => (await lockedTimes()) === 0)
    // Deferred: it holds up the end of the transaction, wherever that is asked for.
    const text = `slow ${hooked}`
    const asked = app.graphql(ADD, { text })
    await until(async () => (await lockedTimes()) === 1)
    // The answer is on its way, and lost; the database goes on.
    proxy.freeze()
    await proxy.cut()
    const { status, errors, headers } = await asked
    t.equal(status, 503)
    t.match(errors, [{ message: /not known whether it was written/, extensions: { outcome: 'unknown' } }])
    t.equal(headers['retry-after'], undefined)
    t.same(told, [])
    await until(async () => (await runOnServer(name, `SELECT FROM tb_note WHERE text = '${text}'`)).length === 1)
    proxy.thaw()
    await proxy.mend()
    await until(async () => (await app.graphql('{ notes { id } }')).status === 200)
    t.equal((await runOnServer(name, `SELECT FROM tb_note WHERE text = '${text}'`)).length, 1, 'once')
    await app.close()
  }
})

t.test('a timeout during COMMIT leaves the outcome of the write unknown', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: NOTES_SQL })
  const name = new URL(url).pathname.slice(1)
  const database = await openDatabase(t, url)
  const commit = (text: string, cancel: ReturnType<typeof createCancellable>) =>
    database.transaction(
      (session) => session.query({ name: null, text: 'INSERT INTO tb_note (text) VALUES ($1)' }, [text]),
      { cancel },
    )
  // Its COMMIT waits for us: it is aborted while it does, on a machine of any speed.
  const duringCommit = (body: () => Promise<void>) =>
    database.transaction(async (session) => {
      await session.query({ name: null, text: 'SELECT pg_advisory_xact_lock(77)' }, [])
      await body()
    }, {})
  const held = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted"
  const waits = async () => {
    while ((await runOnServer(name, held)).length === 0);
  }
  const left = createCancellable()
  let written: Promise<unknown> = Promise.resolve()
  await duringCommit(async () => {
    written = commit('slow, and the client leaves', left)
    await waits()
    left.abort('client')
  })
  await written
  t.equal((await runOnServer(name, 'SELECT FROM tb_note')).length, 1, 'it is written, and whoever is told of it is')

  // It does not come back unless somebody does not wait.
  await duringCommit(async () => {
    const late = createCancellable()
    const result = commit('slow, and too late', late)
    await waits()
    late.abort('timeout')
    await t.rejects(result, { code: 'TIMEOUT', details: { outcome: 'unknown' } })
  })
  t.match(await database.query({ name: null, text: 'SELECT 1' }, [], null), { rows: [[/^1$/]] })
})

t.test('a call that commits itself and is cancelled at its deadline: the outcome is unknown', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: NOTES_SQL })
  const app = await openApp(t, { kind: 'postgres', url }, NOTES, { server: { request_timeout_ms: 200 } })
  const reply = await fetch(`${await app.listen()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: ADD, variables: { text: 'slow' } }),
  })
  t.match(await reply.json(), { errors: [{ extensions: { code: 'TIMEOUT', outcome: 'unknown' } }] })
})
