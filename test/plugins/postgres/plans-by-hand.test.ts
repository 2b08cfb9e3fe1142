import pg from 'pg'
import t from 'tap'
import type { Parameter } from '../../../core/contract/statement.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { openWorld } from '../../helpers/plan-world.ts'
import { requireService } from '../../helpers/services.ts'

/**
 * What an index serves by hand it serves here: the statements of ordinary filters, planned as the driver has learned to plan
 * them, read about as many pages of the database as the statement that somebody would write. Pages are counted and not
 * time, so that a busy machine decides nothing.
 */
t.setTimeout(120_000)

const SQL = `CREATE EXTENSION pg_trgm;
CREATE TABLE author (pk int PRIMARY KEY, name text NOT NULL, email text NOT NULL, kind text NOT NULL);
INSERT INTO author SELECT n, 'author ' || md5(n::text), 'mail' || n || '@example.org',
  CASE WHEN n = 7 THEN 'rare' ELSE 'common' END FROM generate_series(1, 6000) n;
CREATE TABLE post (pk int PRIMARY KEY, fk_author int NOT NULL REFERENCES author, title text NOT NULL, made timestamptz NOT NULL,
  tags text[] NOT NULL, doc jsonb NOT NULL, status text NOT NULL, slug text NOT NULL);
INSERT INTO post SELECT n, 1 + (n * 7919) % 6000, md5(n::text) || ' title ' || n, '2020-01-01'::timestamptz + n * interval '1 minute',
  ARRAY['t' || n % 1000, 't' || n % 7], jsonb_build_object('n', n, 'tags', jsonb_build_array(n % 1000)),
  CASE WHEN n % 20000 = 0 THEN 'failed' ELSE 'done' END, 'slug-' || md5(n::text) FROM generate_series(1, 60000) n;
CREATE TABLE comment (pk int PRIMARY KEY, fk_post int NOT NULL REFERENCES post, body text NOT NULL);
INSERT INTO comment SELECT n, 1 + (n * 6133) % 60000, 'comment ' || n FROM generate_series(1, 120000) n;
CREATE INDEX ON author (email); CREATE INDEX ON author (kind); CREATE INDEX ON comment (fk_post); CREATE INDEX ON post (fk_author);
CREATE INDEX ON post (made DESC, pk); CREATE INDEX ON post (status, made); CREATE INDEX ON post (slug text_pattern_ops);
CREATE INDEX ON post USING gin (title gin_trgm_ops); CREATE INDEX ON post USING gin (tags);
CREATE INDEX ON post USING gin (doc jsonb_path_ops);
ANALYZE author; ANALYZE post; ANALYZE comment;`

const field = (name: string, type: string, relation?: { from: string; to: string }) => ({
  name,
  type,
  ...(relation === undefined ? {} : { relation }),
})
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Author',
      sql_source: 'author',
      key: ['pk'],
      fields: [
        { name: 'id', type: 'ID!', column: 'pk' },
        field('name', 'String!'),
        field('email', 'String!'),
        field('kind', 'String!'),
        field('posts', '[Post!]!', { from: 'pk', to: 'fk_author' }),
      ],
    },
    {
      name: 'Post',
      sql_source: 'post',
      key: ['pk'],
      fields: [
        { name: 'id', type: 'ID!', column: 'pk' },
        field('title', 'String!'),
        field('made', 'DateTime!'),
        field('tags', '[String!]!'),
        field('doc', 'JSON!'),
        field('status', 'String!'),
        field('slug', 'String!'),
        field('author', 'Author', { from: 'fk_author', to: 'pk' }),
      ],
    },
    {
      name: 'Comment',
      sql_source: 'comment',
      key: ['pk'],
      fields: [
        { name: 'id', type: 'ID!', column: 'pk' },
        field('body', 'String!'),
        field('post', 'Post', { from: 'fk_post', to: 'pk' }),
      ],
    },
  ],
  queries: [
    { name: 'authors', type: '[Author!]!' },
    { name: 'posts', type: '[Post!]!' },
    { name: 'comments', type: '[Comment!]!' },
    { name: 'counted', type: '[Post!]!', auto_params: { total_count: true } as never },
  ],
}

/** The filter, and the statement by hand. */
interface Case {
  readonly query: string
  readonly hand: string
  /** Rows that both have, at least. */
  readonly rows: number
}
const posts = (where: string, rest = ''): string => `{ posts(where: ${where}, limit: 50${rest}) { title } }`
const byHand = (where: string, order = 'pk'): string =>
  `SELECT title FROM post WHERE ${where} ORDER BY ${order} LIMIT 50`

const CASES: Readonly<Record<string, Case>> = {
  'a prefix': { query: posts('{ slug: { _startswith: "slug-abc" } }'), hand: byHand("slug LIKE 'slug-abc%'"), rows: 5 },
  'a part of a word': {
    query: posts('{ title: { _icontains: "ABCDE" } }'),
    hand: byHand("title ILIKE '%ABCDE%'"),
    rows: 1,
  },
  'an item of a list': { query: posts('{ tags: { _contains: ["t77"] } }'), hand: byHand("tags @> '{t77}'"), rows: 50 },
  'a part of a document': {
    query: posts('{ doc: { _contains: { n: 777 } } }'),
    hand: byHand(`doc @> '{"n": 777}'`),
    rows: 1,
  },
  'a rare value': { query: posts('{ status: { _eq: "failed" } }'), hand: byHand("status = 'failed'"), rows: 3 },
  'a rare value in another order': {
    query: posts('{ status: { _eq: "failed" } }', ', orderBy: [{ made: DESC }]'),
    hand: byHand("status = 'failed'", 'made DESC, pk'),
    rows: 3,
  },
  'a common value': { query: posts('{ status: { _eq: "done" } }'), hand: byHand("status = 'done'"), rows: 50 },
  'a value of the parent of a parent': {
    query: '{ comments(where: { post: { author: { email: { _eq: "mail77@example.org" } } } }, limit: 50) { body } }',
    hand: `SELECT c.body FROM comment c JOIN post p ON p.pk = c.fk_post JOIN author a ON a.pk = p.fk_author
      WHERE a.email = 'mail77@example.org' ORDER BY c.pk LIMIT 50`,
    rows: 10,
  },
  'an alternative about a parent of a parent': {
    query: `{ comments(where: { post: { _or: [
      { author: { email: { _eq: "mail77@example.org" } } }, { slug: { _eq: "none" } }] } }, limit: 50) { body } }`,
    hand: `SELECT c.body FROM comment c JOIN post p ON p.pk = c.fk_post JOIN author a ON a.pk = p.fk_author
      WHERE a.email = 'mail77@example.org' OR p.slug = 'none' ORDER BY c.pk LIMIT 50`,
    rows: 10,
  },
  'some of many': {
    query: '{ authors(where: { posts: { some: { status: { _eq: "failed" } } } }, limit: 50) { name } }',
    hand: `SELECT name FROM author a WHERE EXISTS (SELECT FROM post p WHERE p.fk_author = a.pk AND p.status = 'failed')
      ORDER BY pk LIMIT 50`,
    rows: 1,
  },
}
/** Runs until the driver has compared both kinds of plans. */
const RUNS = 12
/** Statements of an API read a little more: the rows of the object, the key of the order. */
const TIMES = 2
const PAGES = 100

function literalOf(value: Parameter): string {
  if (value === null) return 'NULL'
  const text = Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join()}}` : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

t.test('statements read about as many pages as those by hand', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  const { prepare, operation, database, run } = await openWorld(t, { kind: 'postgres', url }, SCHEMA)

  const pagesOf = async (text: string, parameters: readonly Parameter[], mode: string): Promise<number> => {
    const values = parameters.map(literalOf)
    const call = values.length === 0 ? 'of_test' : `of_test(${values.join(', ')})`
    await client.query(`DEALLOCATE ALL; SET plan_cache_mode = ${mode}; PREPARE of_test AS ${text}`)
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${call}`)
    const plan = rows[0]['QUERY PLAN'][0].Plan
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }

  for (const [title, { query, hand, rows }] of Object.entries(CASES)) {
    await t.test(title, async (t) => {
      const { statement, bind } = prepare(query)
      for (let i = 0; i < RUNS; i++) {
        const [found] = Object.values(await run(query)) as [readonly unknown[]]
        t.ok(found.length >= rows)
      }
      const mode = database.planning?.(statement!) === 'values' ? 'force_custom_plan' : 'force_generic_plan'
      const [ours, theirs] = [
        await pagesOf(statement!.text, bind(operation(query).variables, null), mode),
        await pagesOf(hand, [], mode),
      ]
      t.ok(ours <= TIMES * theirs + PAGES, `${ours} pages (${mode}), by hand ${theirs}`)
    })
  }
})

t.test('a look-up by key has the same plan for any value', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `CREATE TABLE post (pk int PRIMARY KEY, id uuid NOT NULL UNIQUE, slug text UNIQUE, status text NOT NULL);
    CREATE VIEW v_post AS SELECT * FROM post;`
  const schema: AuthoredSchema = {
    version: '1',
    types: [
      {
        name: 'Post',
        sql_source: 'v_post',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'slug', type: 'String' },
          { name: 'status', type: 'String!' },
        ],
      },
    ],
    queries: [
      { name: 'posts', type: '[Post!]!', sql_source: 'v_post' },
      { name: 'post', type: 'Post', sql_source: 'v_post', arguments: [{ name: 'id', type: 'ID!' }] },
    ],
  }
  const url = await createPostgresDatabase(t, { sql })
  const { prepare } = await openWorld(t, { kind: 'postgres', url }, schema)
  const isSelective = (query: string) => prepare(query).statement!.selective === true
  const id = 'c0318291-aee7-8f3f-a538-bfc617e0932b'
  t.notOk(isSelective(`{ post(id: "${id}") { slug } }`))
  t.notOk(isSelective(`{ posts(where: { id: { _in: ["${id}"] } }) { slug } }`))
  t.notOk(isSelective('{ posts(where: { slug: { _eq: "x" } }) { slug } }'))
  t.ok(isSelective('{ posts(where: { slug: { _startswith: "x" } }) { slug } }'))
  t.ok(isSelective('{ posts(where: { status: { _eq: "x" } }) { slug } }'))
})

t.test('EXPLAIN shows the plan that a statement runs with', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE post (pk int PRIMARY KEY, status text NOT NULL, note text);
      INSERT INTO post SELECT n, CASE WHEN n % 20000 = 0 THEN 'failed' ELSE 'done' END FROM generate_series(1, 40000) n;
      CREATE INDEX post_status ON post (status); ANALYZE post`,
  })
  const database = await openDatabase(t, url)
  const text = 'SELECT pk FROM post WHERE status = $1 AND ($2::text IS NULL OR note = $2) ORDER BY pk LIMIT 20'
  const plan = (statement: object, value = 'failed') =>
    database.explain({ name: 'listed', text, readOnly: true, ...statement }, [value, "it's \\ $3"])
  t.match(await plan({ selective: true }), /post_status/, 'with its values')
  t.match(await plan({}), /post_pkey/, 'once for any values')
  t.match(await plan({ name: null }), /post_status/, 'what is not prepared has no other plan')
  t.match(await plan({}, "o'neill \\"), /post_pkey/)
  await t.rejects(database.explain({ name: 'bad', text: 'SELECT nothing FROM post WHERE pk = $1' }, ['1']), {
    code: '42703',
  })
  t.match(await plan({}), /post_pkey/)
  const unfit = { name: 'unfit', text: 'SELECT note FROM post WHERE pk = $1' }
  for (let i = 0; i < 3; i++) await t.rejects(database.explain(unfit, ['x']), { code: '22P02' })
  const left = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'svc_explained%'"
  await database.transaction(async (session) => {
    t.same((await session.query({ name: null, text: left }, [])).rows, [['0']], 'an error leaves nothing behind')
  }, {})
})
