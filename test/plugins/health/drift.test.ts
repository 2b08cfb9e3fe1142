import t from 'tap'
import { isStaleSchema } from '../../../core/errors/from-database.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPglite, eachDatabase, openDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'

const TABLES = `
CREATE TABLE post (id integer PRIMARY KEY, title text NOT NULL, body text, unused text, size integer);
CREATE VIEW v_post AS SELECT id, title, body, unused, size FROM post;
INSERT INTO post VALUES (1, 'One', NULL, NULL, 3);
`
const FUNCTIONS = `
CREATE FUNCTION fn_add_post(p_title text, p_size integer DEFAULT 0) RETURNS SETOF v_post LANGUAGE sql AS $$
  INSERT INTO post (id, title, size) SELECT max(id) + 1, p_title, p_size FROM post;
  SELECT id, title, body, unused, size FROM v_post ORDER BY id DESC LIMIT 1 $$;
`
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Post',
      sql_source: 'v_post',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'body', type: 'String' },
        { name: 'size', type: 'Int' },
      ],
    },
  ],
  queries: [{ name: 'posts', type: '[Post!]!', sql_source: 'v_post' }],
}
const WITH_WRITES: AuthoredSchema = {
  ...SCHEMA,
  mutations: [
    {
      name: 'add_post',
      type: 'Post!',
      sql_source: 'fn_add_post',
      arguments: [{ name: 'title', type: 'String!' }],
    },
  ],
}

/** The view with one column under another expression. */
function view(columns: string): string {
  return `DROP VIEW v_post; CREATE VIEW v_post AS SELECT ${columns} FROM post;`
}

/** Changes the database beside the service, as a migration does. */
async function migrate(app: TestApp, sql: string): Promise<void> {
  await app.database.script(sql)
}

async function readiness(app: TestApp) {
  const { status, text } = await app.inject({ url: '/health/ready' })
  return { status, body: JSON.parse(text) as Record<string, unknown>, text }
}

const drifts = (app: TestApp) => app.signals.filter(({ type }) => type === 'schema-drift')

const suite = {
  sql: TABLES,
  sqlite: { sql: TABLES },
}

await eachDatabase(
  t,
  async (t, database: TestDatabase) => {
    const app = await openApp(t, database, SCHEMA)
    t.strictSame((await readiness(app)).body, { status: 'ready' }, 'what was compiled is there')

    await migrate(app, view('id, title AS headline, body, unused, size'))
    const { errors } = await app.graphql('{ posts { title } }')
    t.equal(errors?.[0]?.extensions.code, 'DATABASE_ERROR')
    const drifted = await readiness(app)
    t.equal(drifted.status, 503)
    t.strictSame(drifted.body, {
      status: 'drift',
      reason: 'the database does not fit the compiled schema',
      databases: { default: 'drift' },
    })
    t.notMatch(drifted.text, /v_post|title|headline|Post/, 'names are for the log')
    t.match(drifts(app), [
      {
        database: 'default',
        differences: [/^v_post has no column "title".*"headline".*\(Post\.title\)\.$/],
      },
    ])
    t.equal(drifts(app).length, 1)
    t.match((await app.inject({ url: '/health' })).json(), { status: /^ok$/, database: { drift: true } })
    await readiness(app)
    t.equal(drifts(app).length, 1, 'the log has it once')
  },
  suite,
)

t.test('additive changes and what nothing uses are no drift; each difference is one', async (t) => {
  const cases: readonly (readonly [title: string, sql: string, RegExp | null])[] = [
    ['a new column', view('id, title, body, unused, size, 1 AS more'), null],
    ['columns in another order', view('size, unused, body, title, id'), null],
    ['a column goes that nothing reads', view('id, title, body, size'), null],
    ['a wider integer', view('id, title, body, unused, size::bigint AS size'), null],
    ['a text of another name', view('id, title::varchar(90) AS title, body, unused, size'), null],
    ['a new function', 'CREATE FUNCTION fn_more() RETURNS void LANGUAGE sql AS $$ SELECT $$', null],
    [
      'a parameter more, with a default',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_size integer DEFAULT 0', 'p_size integer DEFAULT 0, p_x text DEFAULT NULL')}`,
      null,
    ],
    [
      'a parameter of a wider type',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_title text', 'p_title varchar')}`,
      null,
    ],
    ['a column goes', view('id, title, unused, size'), /^v_post has no column "body" \(Post\.body\)\.$/],
    [
      'a column of another type',
      view('id, title, body, unused, size::text AS size'),
      /^v_post\."size" is text and was int4 when the schema was compiled \(Post\.size\)\.$/,
    ],
    ['the view goes', 'DROP VIEW v_post', /^The database lacks v_post; did you mean "post"\? \(Post, query posts\)\.$/],
    ['the function goes', 'DROP FUNCTION fn_add_post', /^The database lacks fn_add_post \(mutation add_post\)\.$/],
    [
      'a parameter is called otherwise',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replaceAll('p_title', 'p_name')}`,
      /^fn_add_post has no parameter p_title \(mutation add_post\)\.$/,
    ],
    [
      'a parameter more, without a default',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_size integer DEFAULT 0', 'p_size integer')}`,
      /^fn_add_post wants a parameter p_size/,
    ],
    [
      'a parameter of another type',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_title text', 'p_title integer')}`,
      /^fn_add_post takes int4 as p_title, which was text/,
    ],
    [
      'another result',
      `DROP FUNCTION fn_add_post; CREATE FUNCTION fn_add_post(p_title text) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$`,
      /^fn_add_post returns int4 and returned SETOF v_post when/,
    ],
  ]
  const url = await createPglite(t, { sql: TABLES + FUNCTIONS })
  const database = await openDatabase(t, url)
  const { compareCatalog, needsOf } = await import('../../../core/drift/compare-catalog.ts')
  const { describeDifference } = await import('../../../core/drift/difference.ts')
  const { compileArtifact, readCatalogFor } = await import('../../helpers/compile-fixture.ts')
  const needs = needsOf(compileArtifact(WITH_WRITES, await readCatalogFor(WITH_WRITES, database)), undefined)
  t.strictSame(await compareCatalog(database, needs), [])
  for (const [title, sql, wanted] of cases) {
    await database.script('DROP VIEW IF EXISTS v_post CASCADE; DROP FUNCTION IF EXISTS fn_add_post; DROP TABLE post;')
    await database.script(TABLES + FUNCTIONS)
    await database.script(sql.replace('DROP VIEW v_post', 'DROP FUNCTION fn_add_post; DROP VIEW v_post'))
    if (sql.includes('VIEW v_post') && !sql.includes('FUNCTION')) {
      const rows = FUNCTIONS.replace(
        'SETOF v_post',
        'TABLE (id integer, title text, body text, unused text, size integer)',
      )
      await database.script(
        rows.replace(
          /SELECT id, title, body, unused, size FROM v_post/,
          'SELECT id, title, body, unused, size FROM post',
        ),
      )
    }
    const found = (await compareCatalog(database, needs)).map(describeDifference)
    t.equal(found.length, wanted === null ? 0 : 1, `${title}: ${found.join(' ')}`)
    if (wanted !== null) t.match(found[0], wanted, title)
  }
})

t.test('no probe reads the catalog as long as the last comparison is young', async (t) => {
  const app = await openApp(t, { kind: 'pglite', url: await createPglite(t, { sql: TABLES }) }, SCHEMA)
  let reads = 0
  const read = app.database.catalog
  Object.assign(app.database, {
    catalog: (...args: Parameters<typeof read>) => {
      reads++
      return read.apply(app.database, args)
    },
  })
  for (let i = 0; i < 20; i++) await readiness(app)
  t.ok(reads <= 1, `${reads} reads`)
})

t.test('another database that does not fit is told of, and the service stays ready', async (t) => {
  const sql = TABLES
  const crm: TestDatabase = { kind: 'pglite', url: await createPglite(t, { sql }) }
  const schema: AuthoredSchema = {
    version: '1',
    types: [{ ...SCHEMA.types![0]!, database: 'crm' }],
    queries: [{ name: 'posts', type: '[Post!]!', sql_source: 'v_post', database: 'crm' }],
  }
  const own: TestDatabase = { kind: 'pglite', url: await createPglite(t, { sql }) }
  const app = await openApp(t, own, schema, { databases: { crm } })
  t.strictSame((await readiness(app)).body, { status: 'ready' })
  await app.databases.get('crm')!.script(view('id, title AS headline, body, unused, size'))
  await app.graphql('{ posts { title } }')
  const { status, body } = await readiness(app)
  t.strictSame([status, body], [200, { status: 'ready', databases: { crm: 'drift' } }])
  t.match(drifts(app), [{ database: /^crm$/ }])
})

t.test('only errors about missing things start a comparison', async (t) => {
  const failed = (code: string) => new Error('failed', { cause: Object.assign(new Error('server'), { code }) })
  for (const code of ['42703', '42P01', '42883']) t.equal(isStaleSchema(failed(code)), true, code)
  for (const code of ['23505', '57014', 'ECONNREFUSED']) t.equal(isStaleSchema(failed(code)), false, code)
  t.equal(isStaleSchema(null), false)
})
