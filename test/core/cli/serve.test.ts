import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { serveCommand } from '../../../core/cli/serve/serve.ts'
import { bestLibrary } from '../../../plugins/sqlite/driver.ts'
import { createPglite, createPostgresDatabase, createSqlite, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { createTestIo } from './helpers.ts'
import { serve } from './serve-database.ts'

t.setTimeout(300_000)

const SQL = `
  CREATE TABLE artist (artist_id int PRIMARY KEY, name text NOT NULL);
  CREATE TABLE album (
    album_id int PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist, download_token text
  );
  INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept');
  INSERT INTO album VALUES (1, 'For Those About To Rock', 1, 'x'), (2, 'Balls to the Wall', 2, 'y');`

const PG_SQL = `${SQL}
  CREATE FUNCTION fn_rename_artist(id int, name text) RETURNS artist LANGUAGE sql
    AS 'UPDATE artist SET name = $2 WHERE artist_id = $1 RETURNING *';
  CREATE FUNCTION sneak() RETURNS int LANGUAGE plpgsql VOLATILE
    AS $$ BEGIN UPDATE artist SET name = 'sneaked'; RETURN 1; END $$;
  CREATE VIEW sneaky AS SELECT artist_id, sneak() AS done FROM artist;`

async function assertServes(t: Test, url: string, kind: string): Promise<void> {
  const served = await serve(t, url)
  t.match(served.text, /^svc \S+ serves \S+ read-only, to this machine only/)
  t.match(served.text, /REST +http.*\/rest\/v1\n.*OpenAPI +http.*\/openapi\n/)
  t.match(served.text, `${kind} at`)
  t.match(served.text, /Types +\d: .*Album/)
  t.match(served.text, /column \S*album\.download_token: looks like a secret/)
  t.match(served.text, /svc init \S+ --database/)
  const answer = await served.query(
    '{ albums(orderBy: [{ title: ASC }]) { items { title artist { name albums { title } } } } }',
  )
  t.strictSame(answer, {
    data: {
      albums: {
        items: [
          { title: 'Balls to the Wall', artist: { name: 'Accept', albums: [{ title: 'Balls to the Wall' }] } },
          {
            title: 'For Those About To Rock',
            artist: { name: 'AC/DC', albums: [{ title: 'For Those About To Rock' }] },
          },
        ],
      },
    },
  })
  const rest = (await (await fetch(`${served.address}/rest/v1/artists`)).json()) as {
    readonly data: readonly unknown[]
  }
  t.equal(rest.data.length, 2)
  const page = await fetch(`${served.address}/graphql`, { headers: { accept: 'text/html' } })
  t.match(await page.text(), /<html/)
  t.equal((await fetch(`${served.address}/openapi`)).status, 200)
  const tried = /Try:\n((?: {2}.*\n)+)/.exec(served.text)![1]!
  t.equal((await served.query(tried)).errors, undefined, 'the printed query runs')
}

t.test('a PostgreSQL server', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  await assertServes(t, await createPostgresDatabase(t, { sql: PG_SQL }), 'postgres')
})

t.test('an embedded PostgreSQL', async (t) => {
  await assertServes(t, await createPglite(t, { sql: PG_SQL }), 'pglite')
})

t.test('a file of SQLite', async (t) => {
  await assertServes(t, (await createSqlite(t, { sql: SQL })).url, 'sqlite')
})

t.test('every odd thing of SQLite is served, also by its path', async (t) => {
  const { url } = await createSqlite(t, { sql: readFileSync('test/schemas/odd-database-sqlite.sql', 'utf8') })
  const served = await serve(t, url.slice('sqlite:'.length), { verbose: true })
  t.match(served.text, 'view v_broken: cannot be read')
  const { data } = (await served.query('{ __schema { queryType { fields { name args { name } } } } }')) as {
    readonly data: {
      __schema: { queryType: { fields: readonly { name: string; args: readonly { name: string }[] }[] } }
    }
  }
  const lists = data.__schema.queryType.fields.filter(({ args }) => args.some(({ name }) => name === 'limit'))
  t.ok(lists.length > 20)
  for (const { name } of lists) t.strictSame((await served.query(`{ ${name} { totalCount } }`)).errors, undefined, name)
})

t.test('serving a file of SQLite changes no byte of it', async (t) => {
  const { url } = await createSqlite(t, { sql: SQL })
  const file = url.slice('sqlite:'.length)
  for (const mode of [1, 2]) {
    // Bytes 18 and 19 are the journal mode: 1 is a rollback journal, 2 the write-ahead log.
    const bytes = readFileSync(file).fill(mode, 18, 20)
    writeFileSync(file, bytes)
    await t.test(`mode ${mode}`, async (t) => {
      if (mode === 2 && bestLibrary() === 'wasm')
        return t.rejects(serve(t, url), { code: 'SVC_DATABASE_UNREACHABLE', message: /in WAL mode.*serve a copy/ })
      const served = await serve(t, url)
      t.match(await served.query('{ artists { totalCount } }'), { data: { artists: { totalCount: 2 } } })
    })
    t.ok(readFileSync(file).equals(bytes), `mode ${mode}`)
  }
})

t.test('no statement can write, also not of a function that a view calls', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: PG_SQL })
  const served = await serve(t, url)
  t.match(served.text, /function .*fn_rename_artist.*sneak.*: may write/)
  const { data, errors } = await served.query('{ sneakies: __schema { mutationType { name } } }')
  t.strictSame({ data, errors }, { data: { sneakies: { mutationType: null } }, errors: undefined })
  const [, name] = /Queries .*?(sneak\w*)/.exec(served.text)!
  t.ok((await served.query(`{ ${name} { items { done } } }`)).errors)
  const rows = await runOnServer(new URL(url).pathname.slice(1), "SELECT name FROM artist WHERE name = 'sneaked'")
  t.strictSame(rows, [])
  t.strictSame(
    await runOnServer(new URL(url).pathname.slice(1), "SELECT tablename FROM pg_tables WHERE tablename LIKE 'svc%'"),
    [],
    'svc creates no tables',
  )
})

t.test('--write serves functions as mutations', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const served = await serve(t, await createPostgresDatabase(t, { sql: PG_SQL }), { write: true })
  t.match(served.text, /serves \S+ with its functions that write/)
  const answer = await served.query('mutation { renameArtist(id: 1, name: "New") { name } }')
  t.strictSame(answer, { data: { renameArtist: { name: 'New' } } })
})

t.test('--schema and --exclude select objects', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `${PG_SQL} CREATE SCHEMA crm; CREATE TABLE crm.lead (id int PRIMARY KEY)`,
  })
  const served = await serve(t, url, { schema: 'crm' })
  t.match(served.text, /Types +1: Lead\n/)
  t.match((await serve(t, url, { exclude: 'crm.*,sneak*' })).text, /Types +2: Album, Artist\n/)
  await t.rejects(serve(t, url, { schema: 'crn' }), { code: 'SVC_USAGE', message: /Did you mean "crm"/ })
})

t.test('pages of other sites and other names of the host are refused', async (t) => {
  const { address } = await serve(t, await createPglite(t, { sql: SQL }))
  t.equal((await fetch(`${address}/rest/v1/artists`, { headers: { origin: 'https://evil.example' } })).status, 403)
  t.equal((await fetch(`${address}/rest/v1/artists`, { headers: { origin: 'http://localhost:3000' } })).status, 200)
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'evil.example' }
    request(`${address}/rest/v1/artists`, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  t.equal(status, 403)
})

t.test('another address is refused, with the reason', async (t) => {
  const { io } = createTestIo(t.testdir())
  const run = serveCommand.run({ positionals: ['pglite:x'], flags: { host: '0.0.0.0' } }, io)
  await t.rejects(run, { code: 'SVC_USAGE', message: /127\.0\.0\.1 only.*without a credential.*svc init/ })
})

t.test('an empty database, and one without rights', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  await t.rejects(serve(t, await createPostgresDatabase(t)), { code: 'SVC_DATABASE_EMPTY', message: /is empty/ })
  const url = await createPostgresDatabase(t, { sql: SQL })
  const name = new URL(url).pathname.slice(1)
  await runOnServer(name, `CREATE ROLE ${name} LOGIN; GRANT SELECT ON artist TO ${name}`)
  t.teardown(async () => {
    await runOnServer(name, `DROP OWNED BY ${name}`)
    await runOnServer(name, `DROP ROLE ${name}`)
  })
  const limited = Object.assign(new URL(url), { username: name }).href
  const served = await serve(t, limited)
  t.match(served.text, /Types +1: Artist\n/)
  t.match(served.text, /table \S*album: /)
})

t.test('the names of the output', async (t) => {
  const source = readFileSync(join(import.meta.dirname, '../../../docs/guides/start-from-a-database.md'), 'utf8')
  for (const { name } of serveCommand.options)
    if (name !== 'host') t.match(source, `--${name}`, `the guide has --${name}`)
})
