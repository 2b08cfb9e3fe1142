import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import admin from '../../../plugins/admin/index.ts'
import type { Report } from '../../../plugins/explain/api.ts'
import explain from '../../../plugins/explain/index.ts'
import { readPlan } from '../../../plugins/explain/read-plan.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import rest from '../../../plugins/rest/index.ts'
import scopes from '../../../plugins/scopes/index.ts'
import { createPostgresDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'
import { writeProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const TOKEN = 'the-admin-token-of-32-characters!'
const ADMIN = '/api/v1/admin/explain'
const ALIAS = '/api/v1/query/explain'

const SQL = `${LIBRARY_SQL}
CREATE TABLE tb_entry (pk_entry bigint PRIMARY KEY, kind text NOT NULL, note text NOT NULL);
INSERT INTO tb_entry SELECT n, 'kind ' || n % 7, repeat('x', 100) FROM generate_series(1, 80000) n;
ANALYZE tb_entry;
CREATE VIEW v_entry AS SELECT pk_entry AS id, kind, note FROM tb_entry;
CREATE TABLE tb_log (line text);
CREATE FUNCTION fn_note(line text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_log VALUES (line);
  SELECT jsonb_build_object('status', 'new', 'message', 'noted') $$;
`

const SCHEMA = extendSchema(
  LIBRARY,
  tableSchema(
    {
      name: 'Entry',
      sql_source: 'v_entry',
      list: 'entries',
      fields: { id: 'ID!', kind: 'String!', note: 'String!' },
    },
    {
      queries: [{ name: 'guarded_shelves', type: '[Shelf!]!', sql_source: 'v_shelf', requires_role: ['librarian'] }],
      mutations: [
        {
          name: 'note',
          type: 'Boolean',
          sql_source: 'fn_note',
          operation: 'CUSTOM',
          arguments: [{ name: 'line', type: 'String!' }],
        },
      ],
    },
  ),
)

/** Whoever says so in a header. */
const who = definePlugin(
  { name: 'who', version: '1.0.0', kernelApi: 1, description: 'Believes a header.' },
  (scope) => {
    scope.on('authenticate', ({ headers: { 'x-sub': sub } }) =>
      typeof sub === 'string' ? { subject: sub, claims: { sub }, scopes: [], roles: [], method: 'who' } : undefined,
    )
  },
)

t.test('explain', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const test: TestDatabase = { kind: 'postgres', url }
  const open = (debug: boolean, validation: object = {}, flags: object = {}) =>
    openApp(t, test, SCHEMA, {
      debug: { enabled: debug, ...flags },
      plugins: [
        entry(who),
        entry(scopes),
        entry(rest, { require_auth: false }),
        entry(admin, { enabled: true, token: TOKEN }),
        entry(queryLimits, validation),
        entry(explain),
      ],
    })
  const app = await open(true)
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ method: 'POST', url: path, headers, body })
    return { ...reply.json<{ data: Report; error: { code: string; message: string } }>(), status: reply.status }
  }
  const ask = (body: object) => post(ADMIN, body, { authorization: `Bearer ${TOKEN}` })
  const query = async (text: string, more: object = {}) => (await ask({ query: text, ...more })).data

  await t.test('a query', async (t) => {
    const text = 'query Q($n: Int) { all: books(limit: $n, where: { title: { _eq: "beta" } }) { id shelf { label } } }'
    const report = await query(text, { variables: { n: 3 } })
    t.match(report, {
      query: text,
      query_type: 'query',
      views_accessed: ['v_book', 'v_shelf'],
      complexity: { depth: 3, complexity: 8, alias_count: 1 },
      warnings: [],
    })
    t.match(report.sql, /^SELECT/)
    t.same(report.generated_sql, [report.sql])
    t.ok(report.parameters[0]!.includes('beta'))
    t.ok(report.estimated_cost > 0)
    t.match(JSON.stringify(report.database_plan), /"Node Type"/)
    t.match(report.plan, /list/)
    const dry = await query(text, { database: false })
    t.equal(dry.database_plan, undefined)
    t.equal(dry.estimated_cost, dry.complexity.complexity, 'without the plan the complexity')
    t.match(dry.warnings, [/^all: the list has no limit: up to 10000 rows/], 'its variable is not given')
  })

  await t.test('warnings', async (t) => {
    t.match((await query('{ entries(orderBy: { kind: ASC }) { id } }')).warnings, [
      /^entries: the list has no limit/,
      /^tb_entry: sequential scan over about \d+ rows/,
    ])
    t.match((await query('{ entries(limit: 5, where: { note: { _eq: "y" } }) { id } }')).warnings, [
      /^tb_entry: a filter without an index reads the whole table: .*note/,
    ])
    t.match((await query('{ shelves(limit: 5) { books { title } } }')).warnings, [
      /^shelves\.books: the list has no limit/,
    ])
    t.same(
      (
        await query(
          `{ bookPages(first: 2) { edges { node { id } } } shelf(id: "${SHELF(1)}") { books(limit: 1) { id } } }`,
        )
      ).warnings,
      [],
    )
  })

  await t.test('the numbers are those of the limits', async (t) => {
    const text = '{ bookPages(first: 1) { edges { cursor node { id } } } countedBooks { items { id } totalCount } }'
    // 1 + 5 + 1 + 1 + 1, and 1 + 5 + 1 + 1.
    t.same((await query(text)).complexity, { depth: 4, complexity: 17, alias_count: 0 })
    const things = '{ a: things(limit: 1) { id name ... on ThingBook { pages } ... on ThingShelf { label } } }'
    for (const each of [text, things]) {
      const { complexity, depth } = (await query(each)).complexity
      const run = async (max_query_complexity: number, max_query_depth: number): Promise<unknown> => {
        const limited = await open(false, { max_query_complexity, max_query_depth })
        return (await limited.inject({ method: 'POST', url: '/graphql', body: { query: each } })).json()
      }
      t.notMatch(await run(complexity, depth), { errors: [{}] }, each)
      t.match(await run(complexity - 1, depth), { errors: [{ extensions: { code: 'VALIDATION_ERROR' } }] }, each)
      t.match(await run(complexity, depth - 1), { errors: [{ extensions: { code: 'VALIDATION_ERROR' } }] }, each)
    }
  })

  await t.test('numbers that no double holds', async (t) => {
    const text = 'query Q($n: BigInt) { books(limit: 1, where: { sold: { _eq: $n } }) { id } }'
    const { data } = await post(ADMIN, `{ "query": ${JSON.stringify(text)}, "variables": { "n": 9007199254740993 } }`, {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    })
    t.match(JSON.stringify(data.parameters), /"?9007199254740993"?/)
  })

  await t.test('a mutation does not run, and no statement is sent', async (t) => {
    const report = await query('mutation { note(line: "secret") }')
    t.match(report, { query_type: 'mutation', views_accessed: ['fn_note'], plan: null, warnings: [] })
    t.match(report.sql, /fn_note/)
    t.equal(report.database_plan, undefined)
    t.same(await runOnServer(new URL(url).pathname.slice(1), 'SELECT line FROM tb_log'), [])
  })

  await t.test('REST', async (t) => {
    const { data } = await ask({ rest: { path: '/rest/v1/books?title=beta&limit=2&select=id,shelf(label)' } })
    t.match(data, {
      query: 'GET /rest/v1/books?title=beta&limit=2&select=id,shelf(label)',
      views_accessed: ['v_book', 'v_shelf'],
    })
    t.ok(data.parameters[0]!.includes('beta'))
    t.same(data.warnings, [], 'it has the page size for a limit')
    const note = await ask({
      rest: {
        method: 'post',
        path: '/rest/v1/note',
        headers: { 'Content-Type': 'application/json' },
        body: { line: 'x' },
      },
    })
    t.match(note, { data: { query_type: 'mutation' } }, JSON.stringify(note))
    t.match(await ask({ rest: { path: '/rest/v1/books?colour=red' } }), {
      status: 400,
      error: { code: 'UNKNOWN_PARAMETER' },
    })
    t.match(await ask({ rest: { path: `/rest/v1/books/${BOOK.beta}` } }), {
      data: { query_type: 'query', views_accessed: ['v_book'] },
    })
    t.match(await ask({ rest: { path: '/rest/v1/nothing' } }), { status: 404 })
    t.same(await runOnServer(new URL(url).pathname.slice(1), 'SELECT line FROM tb_log'), [])
  })

  await t.test('an explained REST request runs as the caller of explain', async (t) => {
    const about = (headers: object) => ({ rest: { path: '/rest/v1/myBooks', headers } })
    const bob = await post(ALIAS, about({ Accept: 'application/json', 'Idempotency-Key': 'x' }), { 'x-sub': 'bob' })
    t.match(JSON.stringify((bob as unknown as Report).parameters), /"bob"/)
    for (const name of ['X-Sub', 'Authorization', 'X-Tenant']) {
      t.match(await post(ALIAS, about({ [name]: 'ann' }), { 'x-sub': 'bob' }), {
        status: 400,
        error: {
          code: 'VALIDATION_ERROR',
          message: new RegExp(`"${name.toLowerCase()}" is read from the request that`),
        },
      })
    }
    const asked = await app.inject({ method: 'POST', url: ALIAS, headers: { accept: 'text/html' }, body: about({}) })
    t.equal(asked.json<{ error: { code: string } }>().error.code, 'UNAUTHENTICATED', 'the outer Accept is not its')
    t.match(await post(ALIAS, about({ accept: 'text/html' }), { 'x-sub': 'bob' }), {
      error: { code: 'NOT_ACCEPTABLE' },
    })
  })

  await t.test('as another caller: its rights and rows', async (t) => {
    const mine = await query('{ myBooks(limit: 1) { id } }', { as: { sub: 'ann' } })
    t.match(JSON.stringify(mine.parameters), /"ann"/)
    t.match(await ask({ query: '{ guardedShelves(limit: 1) { id } }' }), { status: 403, error: { code: 'FORBIDDEN' } })
    t.equal((await ask({ query: '{ guardedShelves(limit: 1) { id } }', as: { roles: ['librarian'] } })).status, 200)
  })

  await t.test('the alias is for who may run it', async (t) => {
    const bare = await post(ALIAS, { query: '{ myBooks(limit: 1) { id } }' }, { 'x-sub': 'bob' })
    t.equal(bare.status, 200)
    t.match(JSON.stringify((bare as unknown as Report).parameters), /"bob"/, 'without an envelope')
    t.match(await post(ALIAS, { query: '{ guardedShelves(limit: 1) { id } }' }, { 'x-sub': 'bob' }), { status: 403 })
    t.notOk('database_plan' in bare, 'debug.database_explain is off by default')
    t.ok('sql' in bare, 'debug.expose_sql is on by default')
    const flags = async (debug: object) => {
      const app = await open(true, {}, debug)
      const reply = await app.inject({ method: 'POST', url: ALIAS, body: { query: '{ books(limit: 1) { id } }' } })
      t.equal(reply.status, 200)
      const admin = await app.inject({
        method: 'POST',
        url: ADMIN,
        headers: { authorization: `Bearer ${TOKEN}` },
        body: { query: '{ books(limit: 1) { id } }' },
      })
      t.match(
        admin.json(),
        { data: { sql: /^SELECT/, database_plan: {} } },
        'operators are told whatever the flags say',
      )
      return reply.json<Record<string, unknown>>()
    }
    const open1 = await flags({ database_explain: true })
    t.match(JSON.stringify(open1.database_plan), /"Node Type"/)
    t.match(open1.sql, /^SELECT/)
    const hidden = await flags({ expose_sql: false })
    for (const key of ['sql', 'generated_sql', 'parameters', 'database_plan']) t.notOk(key in hidden, key)
    t.match(hidden, { query_type: 'query', views_accessed: ['v_book'], complexity: { depth: 2 } })
    t.notMatch(JSON.stringify(hidden), /SELECT/)
    t.match(await post(ALIAS, { query: '{ books { id } }', as: { roles: ['librarian'] } }), { status: 400 })
    const closed = await open(false)
    const reply = await closed.inject({ method: 'POST', url: ALIAS, body: { query: '{ books { id } }' } })
    t.equal(reply.status, 404, 'nothing without debug.enabled')
  })

  await t.test('requests that cannot be explained', async (t) => {
    const bad = [
      {},
      [],
      { query: 1 },
      { query: '{ a }', rest: { path: '/x' } },
      { rest: { path: 'x' } },
      { query: '{ a }', extra: 1 },
    ]
    for (const body of [
      ...bad,
      { query: '{ a }', as: 'ann' },
      { query: '{ a }', as: { scopes: 'x' } },
      { query: '{ a }', variables: [] },
    ]) {
      t.match(await ask(body), { status: 400, error: { code: 'VALIDATION_ERROR' } }, JSON.stringify(body))
    }
    t.match(await ask({ query: '{ nothing }' }), { status: 400, error: { code: 'GRAPHQL_VALIDATION_FAILED' } })
    t.match(await ask({ query: '{' }), { status: 400, error: { code: 'PARSE_ERROR' } })
    t.equal((await post(ADMIN, { query: '{ books { id } }' })).status, 401)
  })

  await t.test('svc explain, svc cost', async (t) => {
    const folder = t.testdir({ 'q.graphql': '{ relations(limit: 1) { name } }' })
    writeProject(
      folder,
      `[database]\nurl = "${url}"\n[security]\ndefault_policy = "public"\n[plugins]\npreset = "full"\n`,
    )
    const printed = await runCommand(folder, 'explain', 'q.graphql')
    t.equal(printed.code, 0, printed.err)
    t.match(printed.out, /SELECT[\s\S]+reads: +pg_class[\s\S]+complexity: +6 \(depth 2, 0 aliases\)/)
    const json = await runCommand(folder, 'explain', 'GET /rest/v1/relations?limit=1', '--json')
    t.match(JSON.parse(json.out), { query_type: 'query', views_accessed: ['pg_class'] }, json.err)
    t.match(
      (await runCommand(folder, 'explain', '{ relations(limit: 1) { name } }', '--format', 'sql')).out,
      /^SELECT[^\n]+\n$/,
    )
    t.match(await runCommand(folder, 'explain', '{ nothing }'), { err: /nothing/ })
    t.match(await runCommand(folder, 'explain', 'p.graphql'), { code: 2, err: /no file p\.graphql/ })
    t.match(await runCommand(folder, 'explain', '.'), { code: 2, err: /EISDIR/ })
    t.match(await runCommand(folder, 'explain', '{ a }', '--format', 'x'), { code: 2, err: /one of text, sql/ })
    t.match(await runCommand(folder, 'cost', 'q.graphql'), { code: 0, out: 'complexity 6, depth 2, 0 aliases\n' })
    t.match(await runCommand(folder, 'cost', 'q.graphql', '--max-cost', '5'), {
      code: 1,
      err: /more than --max-cost 5/,
    })
    const { out } = await runCommand(folder, 'cost', 'q.graphql', '--max-cost', '6', '--json')
    t.same(JSON.parse(out), { depth: 2, complexity: 6, alias_count: 0, max_cost: 6, allowed: true })
    writeFileSync(join(folder, 'q.graphql'), '')
    t.not((await runCommand(folder, 'cost', 'q.graphql')).code, 0)
  })
})

t.test('plans of databases', (t) => {
  const sqlite = [
    { id: 1, parent: 0, detail: 'SCAN tb_book' },
    { id: 2, parent: 0, detail: 'SEARCH tb_shelf USING INDEX x (id=?)' },
    { id: 3, parent: 0, detail: 'SCAN json_each VIRTUAL TABLE INDEX 1:' },
  ]
  t.same(readPlan(sqlite), { cost: null, scans: [{ relation: 'tb_book', rows: null, cost: null, filter: null }] })
  const scan = {
    'Node Type': 'Seq Scan',
    'Relation Name': 'tb_book',
    'Plan Rows': 7,
    'Total Cost': 3,
    Filter: '(a = 1)',
  }
  t.same(
    readPlan([
      {
        Plan: {
          'Node Type': 'Limit',
          'Total Cost': 9,
          Plans: [scan, { 'Node Type': 'Index Scan', 'Relation Name': 'x' }],
        },
      },
    ]),
    {
      cost: 9,
      scans: [{ relation: 'tb_book', rows: 7, cost: 3, filter: '(a = 1)' }],
    },
  )
  t.same(readPlan('what is this'), { cost: null, scans: [] })
  t.end()
})
