import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Config } from '../../core/contract/config.ts'
import { checkRoles } from '../../core/engine/execute/check-dialect.ts'
import sqlite from '../../plugins/sqlite/index.ts'
import { createSqlite } from '../helpers/databases.ts'
import { createExportPlugin } from '../helpers/export-plugin.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { openApp } from '../helpers/open-app.ts'
import { connectionProcesses } from '../plugins/sqlite/open-sqlite.ts'
import { extendSchema } from '../schemas/extend-schema.ts'
import { tableSchema } from '../schemas/table-schema.ts'
import { NOTE_ID, TENANTS, trusting } from './tenants.ts'

/**
 * On SQLite, over the real service: what `session-variables` and `outage` show on PostgreSQL. It has no roles, and no
 * policies: a view asks `svc_setting`, and `role_claim` is refused by name.
 */
t.setTimeout(180_000)

const OWN = "WHERE tenant = svc_setting('app.tenant')"
const SQL = `
CREATE TABLE tb_author (pk_author INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()), tenant TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE tb_note (pk_note INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()), tenant TEXT NOT NULL,
  fk_author BIGINT NOT NULL, title TEXT NOT NULL);
CREATE TABLE tb_wage (id INTEGER PRIMARY KEY, amount INT NOT NULL);
INSERT INTO tb_author (pk_author, tenant, name) VALUES (1, 'acme', 'Ann'), (2, 'bolt', 'Bob');
INSERT INTO tb_note (id, tenant, fk_author, title) VALUES ('${NOTE_ID.acme}', 'acme', 1, 'acme 1'), ('${NOTE_ID.bolt}', 'bolt', 2, 'bolt 1');
INSERT INTO tb_note (tenant, fk_author, title) VALUES ('bolt', 1, 'bolt on Ann'), ('acme', 2, 'acme on Bob');
CREATE VIEW v_author AS SELECT * FROM tb_author ${OWN};
CREATE VIEW v_note AS SELECT * FROM tb_note ${OWN};
CREATE VIEW v_wage AS SELECT * FROM tb_wage;
CREATE VIEW v_session AS SELECT 1 AS id, '-' AS who, svc_setting('app.tenant') AS tenant, svc_setting('app.tags') AS tags,
  svc_setting('app.from') AS sent, svc_setting('app.service') AS service, svc_setting('svc.started_at') AS started, '-' AS read_only;
CREATE TABLE v_tick (id INTEGER PRIMARY KEY);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO v_tick SELECT i FROM n;
CREATE VIEW v_nap AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS id, count(*) AS slept FROM n;
`
const SCRIPTS = {
  fn_add_note: `-- :author integer
-- :title text
-- returns uuid
INSERT INTO tb_note (tenant, fk_author, title) VALUES (svc_setting('app.tenant'), :author, :title) RETURNING id;`,
  fn_rename: `-- :id uuid
-- :title text
-- returns boolean
UPDATE tb_note SET title = :title WHERE id = :id AND tenant = svc_setting('app.tenant');
SELECT changes() > 0;`,
  fn_who: "-- returns text\nSELECT coalesce(svc_setting('app.tenant'), '');",
  fn_smuggle: '-- :id uuid\n-- returns uuid\nSELECT :id;',
}
const SCHEMA = extendSchema(
  TENANTS,
  tableSchema({ name: 'Tick', sql_source: 'v_tick', list: 'ticks', fields: { id: 'ID!' } }),
  tableSchema({ name: 'Nap', sql_source: 'v_nap', list: 'naps', fields: { id: 'ID!', slept: 'Int' } }),
)
const sessionVariables: Config['session_variables'] = {
  variables: [
    { name: 'app.tenant', source: 'jwt', claim: 'org.id', required: false },
    { name: 'app.tags', source: 'jwt', claim: 'tags', required: false },
    { name: 'app.from', source: 'header', header: 'X-From', required: false },
    { name: 'app.service', source: 'literal', value: 7, required: false },
  ],
}
const as = (tenant: string, more: object = {}) => ({ 'x-claims': JSON.stringify({ org: { id: tenant }, ...more }) })
const titles = (rows: readonly { title: string }[]) => rows.map(({ title }) => title).sort()

t.test('sqlite', async (t) => {
  const database = await createSqlite(t, { sql: SQL, scripts: SCRIPTS })
  const hooked = plugin('hooked', (scope) => {
    scope.on(
      'mutation:after',
      async (_ctx, { session, arguments: { title } }) => {
        if (title === 'refused by a moment') throw new Error('not that')
        await session.query({ name: null, text: 'INSERT INTO tb_wage (amount) VALUES (?1)' }, ['5'])
      },
      { mutations: ({ wireName }) => wireName === 'addNote' },
    )
  })
  const app = await openApp(t, database, SCHEMA, {
    plugins: [entry(sqlite as never), trusting, createExportPlugin(), entry(hooked)],
    sessionVariables,
    url: database.url,
    database: { pool_max: 2, connect_timeout_ms: 20_000, functions: database.functions! },
    server: { request_timeout_ms: 20_000 },
  })
  const url = await app.listen()
  const ask = async (document: string, headers: Record<string, string>, variables?: object) => {
    const { data, errors } = await app.graphql(document, variables, headers)
    return errors === undefined ? data : { data, codes: errors.map(({ extensions }) => extensions.code) }
  }

  await t.test('every way to rows shows those of the tenant', async (t) => {
    for (const [own, other, name] of [
      ['acme', 'bolt', 'Ann'],
      ['bolt', 'acme', 'Bob'],
    ] as const) {
      const me = as(own)
      const mine = [`${own} 1`, `${own} on ${own === 'acme' ? 'Bob' : 'Ann'}`]
      const nested = await ask('{ notes(orderBy: { title: ASC }) { title author { name notes { title } } } }', me)
      t.strictSame(nested.notes, [
        { title: mine[0], author: { name, notes: [{ title: mine[0] }] } },
        { title: mine[1], author: null },
      ])
      const counted = await ask('{ counted { totalCount items { title } } notePages(first: 9) { totalCount } }', me)
      t.strictSame([counted.counted.totalCount, counted.notePages.totalCount], [2, 2])
      t.strictSame(titles(counted.counted.items), mine)
      t.strictSame(await ask(`{ note(id: "${NOTE_ID[other]}") { title } }`, me), { note: null })
      const across = await ask(
        `{ authors(where: { notes: { some: { title: { _like: "${other}%" } } } }) { name } }`,
        me,
      )
      t.strictSame(across, { authors: [] })
      const query = encodeURIComponent('{ notes(orderBy: { title: ASC }) { title } }')
      for (const form of ['rows', 'columns']) {
        const { text } = await app.inject({ method: 'GET', url: `/export?form=${form}&query=${query}`, headers: me })
        t.strictSame([...text.matchAll(/(?:acme|bolt) [^"]+/g)].map(String), mine, form)
      }
    }
    t.strictSame(await ask('{ notes { title } }', {}), { notes: [] })
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ask('{ notes { title } }', as(i % 2 ? 'acme' : 'bolt'))),
    )
    t.ok(
      all.every(({ notes }, i) => titles(notes)[0]?.startsWith(i % 2 ? 'acme' : 'bolt')),
      'at once',
    )
  })

  await t.test('values of every kind', async (t) => {
    const asked = '{ session { tenant tags sent service started } }'
    const { session } = await ask(asked, { ...as('a\'"b', { tags: ['x', { y: 1.5 }] }), 'x-from': 'there' })
    t.match(session, { tenant: 'a\'"b', tags: '["x",{"y":1.5}]', sent: 'there', service: /^7$/ })
    t.ok(Math.abs(Date.parse(session.started) - Date.now()) < 60_000)
    t.match((await ask(asked, {})).session, { tenant: null, tags: null, sent: null })
  })

  await t.test('writes, what is read again behind them, and moments', async (t) => {
    const add = (title: string) => `mutation { addNote(author: 1, title: "${title}") { title author { name } } }`
    t.strictSame(await ask(add('new'), as('acme')), { addNote: { title: 'new', author: { name: 'Ann' } } })
    t.strictSame(await ask('{ wages { amount } }', {}), { wages: [{ amount: 5 }] }, 'a moment wrote beside it')
    t.match(await ask(add('refused by a moment'), as('acme')), { codes: ['INTERNAL_SERVER_ERROR'] })
    t.strictSame(titles((await ask('{ notes { title } }', as('acme'))).notes), ['acme 1', 'acme on Bob', 'new'])
    const rename = 'mutation ($id: ID!) { rename(id: $id, title: "acme 1") }'
    t.strictSame(await ask(rename, as('acme'), { id: NOTE_ID.acme }), { rename: true })
    t.strictSame(await ask(rename, as('bolt'), { id: NOTE_ID.acme }), { rename: false })
    const smuggle = 'mutation ($id: ID!) { smuggle(id: $id) { title } }'
    t.match(await ask(smuggle, as('bolt'), { id: NOTE_ID.acme }), { codes: ['NOT_FOUND'] }, 'nothing to read again')
    t.strictSame(await ask('mutation { a: who b: who }', as('bolt')), { a: 'bolt', b: 'bolt' })
  })

  await t.test('a client that goes away, a process that dies: the service goes on', async (t) => {
    const post = (query: string, signal?: AbortSignal) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...as('bolt') },
        body: JSON.stringify({ query }),
        ...(signal === undefined ? {} : { signal }),
      })
    const busy = async (): Promise<void> => {
      while (app.database.pool.active === 0) await sleep(10)
    }
    const client = new AbortController()
    const left = post('{ naps { slept } }', client.signal)
    left.catch(() => {})
    await busy()
    await sleep(50)
    client.abort()
    await t.rejects(left, { name: 'AbortError' })
    while (app.database.pool.active > 0) await sleep(10)
    t.strictSame(titles((await ask('{ notes { title } }', as('bolt'))).notes), ['bolt 1', 'bolt on Ann'], 'stopped')

    // A long stream, of which somebody has taken the first rows.
    const reader = new AbortController()
    const query = encodeURIComponent('{ ticks { id } }')
    const stream = await fetch(`${url}/export?form=rows&forever=1&query=${query}`, { signal: reader.signal })
    const rows = stream.body!.getReader()
    t.match(new TextDecoder().decode((await rows.read()).value), /^\{"id":"1"\}\n/)
    t.equal(app.database.pool.active, 1)
    reader.abort()
    await rows.read().catch(() => {})
    const since = performance.now()
    while (app.database.pool.active > 0) await sleep(2)
    // On an idle machine within 100 ms; here others are at work.
    t.ok(performance.now() - since < 2000, `${performance.now() - since} ms`)

    const broken = post('{ naps { slept } }')
    await busy()
    await sleep(50)
    // A read is tried again on another connection, so that one goes, too.
    const killing = setInterval(() => {
      for (const pid of connectionProcesses()) process.kill(pid, 'SIGKILL')
    }, 200)
    const answer = await broken.finally(() => clearInterval(killing))
    t.match([answer.status, await answer.text()], [503, /"code":"SERVICE_UNAVAILABLE"/])
    t.match(answer.headers.get('retry-after'), /^[1-9]/)
    t.strictSame(titles((await ask('{ notes { title } }', as('bolt'))).notes), ['bolt 1', 'bolt on Ann'])
    t.strictSame(await ask('mutation { who }', as('acme')), { who: 'acme' })
  })

  t.throws(() => checkRoles('role', app.database.dialect), {
    code: 'SVC_CONFIG_INVALID',
    message: /role_claim: .*"sqlite" has no roles/,
  })
})
