import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createPostgresDatabase, runOnServer } from '../../../helpers/databases.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { requireService } from '../../../helpers/services.ts'

t.setTimeout(300_000)

interface Warning {
  readonly id: string | null
  readonly message: string
}

/** SQL of an author table and a post table with `rows` posts and no index on their author. */
const sql = (rows: number): string => `
  CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL);
  INSERT INTO author SELECT n, 'a' || n FROM generate_series(1, 10) n;
  CREATE TABLE post (id int PRIMARY KEY, author_id int NOT NULL REFERENCES author, title text NOT NULL);
  INSERT INTO post SELECT n, 1 + n % 10, 't' || n FROM generate_series(1, ${rows}) n;
  ANALYZE;
`

const SCHEMA = {
  version: '2.0.0',
  types: [
    {
      name: 'Author',
      sql_source: 'author',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'posts', type: '[Post!]!' },
      ],
    },
    {
      name: 'Post',
      sql_source: 'post',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'author', type: 'Author!' },
      ],
    },
  ],
  queries: [{ name: 'authors', type: '[Author!]!', sql_source: 'author' }],
}

const ID = 'index-relation:post.author_id'

function write(folder: string, url: string, toml = ''): void {
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(SCHEMA))
  writeFileSync(join(folder, 'svc.toml'), `[database]\nurl = "${url}"\n${toml}`)
}

async function warnings(t: Test, folder: string): Promise<readonly Warning[]> {
  const { out, err, code } = await runCommand(folder, 'compile', '--json')
  t.equal(code, 0, err || out)
  const all = (JSON.parse(out) as { warnings: readonly Warning[] }).warnings
  return all.filter(({ message }) => message.startsWith('Database: ') || message.includes('about the database'))
}

t.test('compile warns of a relation that scans a large table, until it is silenced or mended', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: sql(20_000) })
  const folder = t.testdir()
  write(folder, url)
  const [only, ...more] = await warnings(t, folder)
  t.strictSame(more, [])
  t.equal(only!.id, ID)
  t.match(only!.message, 'Used by Author.posts.')
  t.match(only!.message, 'Run: CREATE INDEX CONCURRENTLY post_author_id_idx ON public.post (author_id);')
  t.match(only!.message, `add "${ID}" to [advise] ignore`)
  const { err } = await runCommand(folder, 'compile')
  t.match(err, /^warning {2}Database: post\.author_id: /m)
  write(folder, url, `[advise]\nignore = ["${ID}"]\n`)
  t.strictSame(await warnings(t, folder), [])
  write(folder, url)
  await runOnServer(new URL(url).pathname.slice(1), 'CREATE INDEX ON post (author_id)')
  t.strictSame(await warnings(t, folder), [])
})

t.test('compile does not warn of small tables', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: sql(500) })
  const folder = t.testdir()
  write(folder, url)
  t.strictSame(await warnings(t, folder), [])
})

t.test('compile warns of policies that do not apply to the role, in tables of any size', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: `${sql(10)} ALTER TABLE post ENABLE ROW LEVEL SECURITY;` })
  const folder = t.testdir()
  write(folder, url)
  const found = await warnings(t, folder)
  t.strictSame(
    found.map(({ id }) => id),
    ['row-security-bypassed:postgres'],
  )
  t.match(found[0]!.message, 'is a superuser')
})

t.test('a compile prints at most five of these warnings, and the number of the others', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const columns = Array.from({ length: 7 }, (_, n) => `k${n}`)
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE wide (id int PRIMARY KEY, ${columns.map((name) => `${name} int NOT NULL`).join(', ')});
      INSERT INTO wide SELECT n, ${columns.map(() => 'n').join(', ')} FROM generate_series(1, 12000) n; ANALYZE;`,
  })
  const folder = t.testdir()
  write(folder, url)
  const type = {
    name: 'Wide',
    sql_source: 'wide',
    fields: [{ name: 'id', type: 'ID!' }, ...columns.map((name) => ({ name, type: 'Int!' }))],
  }
  const queries = columns.map((name) => ({
    name: `by_${name}`,
    type: '[Wide!]!',
    sql_source: 'wide',
    arguments: [{ name, type: 'Int!' }],
  }))
  writeFileSync(join(folder, 'schema.json'), JSON.stringify({ version: '2.0.0', types: [type], queries }))
  const found = await warnings(t, folder)
  t.equal(found.length, 6)
  t.strictSame(found.at(-1), {
    id: null,
    message: '2 more warnings about the database. Run `svc advise` for all.',
    place: null,
  })
})

t.test('an offline compile gives no advice on the database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: sql(20_000) })
  const folder = t.testdir()
  write(folder, url)
  const { code } = await runCommand(folder, 'compile', '--offline')
  t.equal(code, 0)
  t.strictSame(
    (
      JSON.parse((await runCommand(folder, 'compile', '--offline', '--json')).out) as { warnings: readonly Warning[] }
    ).warnings.filter(({ id }) => id?.startsWith('index-') === true),
    [],
    'no advice without a database',
  )
})
