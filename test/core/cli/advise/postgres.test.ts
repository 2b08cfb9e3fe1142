import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../../helpers/databases.ts'
import { requireService } from '../../../helpers/services.ts'
import { advise } from './world.ts'

t.setTimeout(300_000)

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

const TABLES = `
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL);
  CREATE TABLE post (
    id int PRIMARY KEY, title text NOT NULL, body jsonb, tags text[], author_id int NOT NULL REFERENCES author
  );
  INSERT INTO author SELECT n, 'a' || n FROM generate_series(1, 500) n;
  INSERT INTO post SELECT n, 't' || n, '{}', '{a}', 1 + n % 500 FROM generate_series(1, 20000) n;
  ANALYZE;
`
const INDEXES = ['index-relation', 'index-sort', 'index-filter', 'index-pattern', 'index-json', 'index-list']

t.test('indexes: each statement ends its advice', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: TABLES })
  const cwd = t.testdir()
  const found = await advise(cwd, '--database', url)
  t.strictSame(found.ids(...INDEXES), [
    'index-relation:post.author_id',
    'index-sort:post.title',
    'index-pattern:post.title',
    'index-json:post.body',
    'index-list:post.tags',
  ])
  const relation = found.one('index-relation:post.author_id')
  t.equal(relation.level, 'warning')
  t.strictSame(relation.used_by, ['Author.posts'])
  t.strictSame(relation.statements, ['CREATE INDEX CONCURRENTLY post_author_id_idx ON public.post (author_id);'])
  t.equal(relation.gain?.source, 'estimate')
  t.ok(relation.gain!.cost_now > relation.gain!.cost_then)
  t.strictSame(found.one('index-pattern:post.title').statements, [
    'CREATE EXTENSION IF NOT EXISTS pg_trgm;',
    'CREATE INDEX CONCURRENTLY post_title_trgm_idx ON public.post USING gin (title gin_trgm_ops);',
  ])
  const statements = found.advice.filter(({ rule }) => INDEXES.includes(rule)).flatMap((one) => one.statements)
  for (const statement of statements) await runOnServer(nameOf(url), statement)
  t.strictSame((await advise(cwd, '--database', url, '--all')).ids(...INDEXES), [
    'index-sort:author.name',
    'index-pattern:author.name',
  ])
})

t.test('indexes of the wrong kind serve nothing', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `${TABLES}
      CREATE INDEX ON post (title, author_id); CREATE INDEX part ON post (author_id) WHERE id > 5;
      CREATE INDEX ON post (title text_pattern_ops); CREATE INDEX ON post USING gin (body jsonb_path_ops)`,
  })
  const found = await advise(t.testdir(), '--database', url)
  t.strictSame(found.ids(...INDEXES), [
    'index-relation:post.author_id',
    'index-pattern:post.title',
    'index-json:post.body',
    'index-list:post.tags',
  ])
  const relation = found.one('index-relation:post.author_id')
  t.equal(relation.level, 'info', 'an index of some rows may be enough')
  t.match(relation.message, 'an index of some rows exists')
})

t.test('keys of tables', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const pair = (key: string) => `
    CREATE TABLE tag (id int PRIMARY KEY); CREATE TABLE post (id int PRIMARY KEY);
    CREATE TABLE post_tag (post_id int NOT NULL REFERENCES post, tag_id int NOT NULL REFERENCES tag ${key})`
  const rules = ['join-table-key', 'missing-primary-key', 'missing-foreign-key']
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [pair(''), ['join-table-key:post_tag']],
    [pair(', id int PRIMARY KEY'), ['join-table-key:post_tag']],
    [pair(', PRIMARY KEY (post_id, tag_id)'), []],
    [pair(', note text'), ['missing-primary-key:post_tag']],
    ['CREATE TABLE note (text text)', ['missing-primary-key:note']],
    ['CREATE TABLE note (text text PRIMARY KEY)', []],
    [
      `CREATE TABLE authors (id int PRIMARY KEY);
       CREATE TABLE book (id int PRIMARY KEY, author_id int, fk_authors int, "authorId" int, other_id int, authors_id text)`,
      [
        'missing-foreign-key:book.authorId',
        'missing-foreign-key:book.author_id',
        'missing-foreign-key:book.fk_authors',
      ],
    ],
    [
      'CREATE TABLE author (id int PRIMARY KEY); CREATE TABLE book (id int PRIMARY KEY, author_id int REFERENCES author)',
      [],
    ],
  ]
  const cwd = t.testdir()
  for (const [sql, expected] of cases) {
    const url = await createPostgresDatabase(t, { sql })
    const found = await advise(cwd, '--database', url)
    t.strictSame(found.ids(...rules), expected, sql)
    for (const { rule, statements } of found.advice)
      if (rules.includes(rule)) for (const statement of statements) await runOnServer(nameOf(url), statement)
    const undecided = expected.filter((id) => id.startsWith('missing-primary-key'))
    t.strictSame((await advise(cwd, '--database', url)).ids(...rules), undecided, 'the statements end the advice')
  }
})

t.test('--orphans counts references to rows that do not exist', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE author (id int PRIMARY KEY); CREATE TABLE book (id int PRIMARY KEY, author_id int);
      INSERT INTO author VALUES (1); INSERT INTO book VALUES (1, 1), (2, 7), (3, NULL)`,
  })
  const found = await advise(t.testdir(), '--database', url, '--orphans')
  t.match(found.one('missing-foreign-key:book.author_id').message, '1 refer to no row')
})

t.test('views that filters cannot pass', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `${TABLES}
      CREATE VIEW plain AS SELECT p.id, p.title, a.name FROM post p JOIN author a ON a.id = p.author_id WHERE p.id > 1;
      CREATE VIEW ranked AS SELECT id, title, rank() OVER (ORDER BY title) AS place FROM post;
      CREATE VIEW newest AS SELECT id, title FROM post ORDER BY id DESC LIMIT 10;
      CREATE VIEW counted AS SELECT author_id, count(*) AS posts FROM post GROUP BY author_id;
      CREATE VIEW once AS SELECT DISTINCT title FROM post;
      CREATE VIEW both_names AS SELECT title AS name FROM post UNION SELECT name FROM author;
      CREATE VIEW all_names AS SELECT title AS name FROM post UNION ALL SELECT name FROM author`,
  })
  const found = await advise(t.testdir(), '--database', url)
  const levels = Object.fromEntries(
    found.advice.filter(({ rule }) => rule === 'slow-view').map(({ subject, level }) => [subject, level]),
  )
  t.strictSame(levels, { ranked: 'warning', newest: 'warning', counted: 'info', once: 'info', both_names: 'info' })
  const sort = found.one('index-sort:post.title')
  t.ok(
    sort.used_by.some((name) => name.startsWith('plains(')),
    `the index serves the view, too: ${sort.used_by}`,
  )
  t.notOk(
    sort.used_by.some((name) => name.startsWith('rank')),
    'and not the view with a window function',
  )
})

t.test('row-level security that does not apply', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE doc (id int PRIMARY KEY, tenant text); CREATE VIEW docs AS SELECT id, tenant FROM doc`,
  })
  const name = nameOf(url)
  const cwd = t.testdir()
  const rule = 'row-security-bypassed'
  t.strictSame((await advise(cwd, '--database', url)).ids(rule), [], 'it is not enabled')
  await runOnServer(name, 'ALTER TABLE doc ENABLE ROW LEVEL SECURITY')
  const superuser = new URL(url).username
  t.strictSame((await advise(cwd, '--database', url)).ids(rule), [`${rule}:docs`, `${rule}:${superuser}`])

  const owner = `${name}_owner`
  t.teardown(async () => {
    await runOnServer(name, `REASSIGN OWNED BY ${owner} TO ${superuser}; DROP OWNED BY ${owner}; DROP ROLE ${owner}`)
  })
  await runOnServer(
    name,
    `CREATE ROLE ${owner} LOGIN; ALTER TABLE doc OWNER TO ${owner}; ALTER VIEW docs OWNER TO ${owner};
     GRANT USAGE ON SCHEMA public TO ${owner}`,
  )
  const asOwner = Object.assign(new URL(url), { username: owner }).href
  const found = await advise(cwd, '--database', asOwner)
  t.strictSame(found.ids(rule), [`${rule}:doc`, `${rule}:docs`])
  t.strictSame(found.one(`${rule}:doc`).statements, ['ALTER TABLE public.doc FORCE ROW LEVEL SECURITY;'])
  await runOnServer(name, found.one(`${rule}:doc`).statements[0]!)
  t.strictSame((await advise(cwd, '--database', asOwner)).ids(rule), [])
})
