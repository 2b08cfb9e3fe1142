import { writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { databaseNameOf, hasSecret, readDatabaseUrl, urlFrom } from '../../../core/cli/database/database-url.ts'
import { openUrl } from '../../../core/cli/database/open-url.ts'
import { createPostgresDatabase, postgresUrl } from '../../helpers/databases.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTestIo } from './helpers.ts'

async function failureOf(url: string, cwd = '/'): Promise<{ readonly code: string; readonly message: string }> {
  try {
    const { database } = await openUrl(readDatabaseUrl(url, cwd), createTestIo(cwd).io)
    await database.close()
  } catch (error) {
    return error as { readonly code: string; readonly message: string }
  }
  throw new Error(`${url} can be opened.`)
}

/** Asserts that opening the URL fails with a single line that begins with the part of the URL. */
async function assertWrong(t: Test, url: string, message: RegExp, cwd?: string): Promise<void> {
  const error = await failureOf(url, cwd)
  t.match(error.message, message)
  t.notMatch(error.message, /\n/)
}

t.test('a URL that cannot be one is refused before anything is opened', async (t) => {
  const cwd = t.testdir()
  await assertWrong(t, 'postgre://localhost/x', /scheme "postgre" .* Did you mean "postgres"/, cwd)
  await assertWrong(t, 'constructor://localhost/x', /^The scheme "constructor" of the URL is unknown/, cwd)
  await assertWrong(t, 'mssql://localhost/x', /scheme "mssql"|no driver for/, cwd)
  await assertWrong(t, 'postgres://localhost:54a/x', /The port of the URL is "54a"/, cwd)
  await assertWrong(t, 'postgres://localhost:70000/x', /The port of the URL is "70000"/, cwd)
  await assertWrong(t, 'postgres://app:p@ss/w@localhost/x', /an @ behind.*Percent-encode/, cwd)
  for (const password of ['pw', 'p@w', 'p:w', 'p#w', 'p/w', 'p?w']) {
    for (const port of ['', ':54a', ':1']) {
      const url = `postgres://app:${password}@localhost${port}/x`
      try {
        t.equal(readDatabaseUrl(url, cwd).url, url)
        t.ok(port !== ':54a' && /^p[@:]?w$/.test(password), `${url} is a URL`)
      } catch (error) {
        t.notMatch((error as Error).message, /p.?w|"p/, `${url}: no part of the password is printed`)
        t.ok(port === ':54a' || /^p[#/?]w$/.test(password), `${url} is refused`)
      }
    }
  }
  await assertWrong(
    t,
    'postgres://localhost/x?sslmode=requir',
    /TLS mode .*sslmode=requir. Did you mean "require"/,
    cwd,
  )
  await assertWrong(t, 'host=localhost dbname=x', /key=value. Write a URL/, cwd)
  await assertWrong(t, 'shop', /"shop" has no scheme/, cwd)
})

t.test('a file or folder that is not there is named, and not created', async (t) => {
  const cwd = t.testdir()
  await assertWrong(t, 'shop.db', /There is no file shop.db/, cwd)
  await assertWrong(t, 'sqlite:shop.db', /^File: there is no database in .*shop\.db/, cwd)
  await assertWrong(t, 'pglite:data', /^Folder: there is no embedded database in .*data/, cwd)
  await assertWrong(t, 'sqlite:memory', /in memory/, cwd)
  writeFileSync(join(cwd, 'memory'), '')
  writeFileSync(join(cwd, '50%25.db'), '')
  t.equal(readDatabaseUrl('memory', cwd).url, 'sqlite:./memory', 'a file with the name of the database in memory')
  t.equal(readDatabaseUrl('50%25.db', cwd).url, 'sqlite:50%2525.db', 'the driver decodes percents')
  writeFileSync(join(cwd, 'notes.txt'), 'These are some notes, and no database at all.\n'.repeat(100))
  await assertWrong(t, 'notes.txt', /notes\.txt cannot be opened/, cwd)
  t.strictSame(readDatabaseUrl('notes.txt', cwd), { url: 'sqlite:notes.txt', plugin: 'sqlite' })
})

t.test('the wrong part of the URL of a server is named', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { host, port } = SERVICES.postgres
  if (host.startsWith('/')) return
  const at = `${host}:${port}`
  const database = new URL(await createPostgresDatabase(t)).pathname.slice(1)
  await assertWrong(t, 'postgres://postgres@no-such-host.invalid/x', /^Host: "no-such-host.invalid" is not known/)
  await assertWrong(t, `postgres://postgres@${host}:1/x`, /^Port: nothing listens on port 1 of/)
  await assertWrong(t, `postgres://postgres@${at}/svc_no_such`, /^Database: the server has no database "svc_no_such"/)
  await assertWrong(t, `postgres://svc_no_such@${at}/${database}`, /^User: .*"svc_no_such"|^Password:/)
  const required = await failureOf(`${postgresUrl(database)}?sslmode=require`).catch(() => null)
  if (required !== null) t.match(required.message, /^TLS mode: .* does not offer TLS, and sslmode=require requires it/)
})

/** A server that answers the start of a connection with an error of PostgreSQL, and refuses TLS. */
async function refusingServer(t: TestLike, code: string, message: string): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (data.length === 8) return void socket.write('N')
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
      const head = Buffer.alloc(5)
      head.write('E')
      head.writeInt32BE(fields.length + 4, 1)
      socket.end(Buffer.concat([head, fields]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as { readonly port: number }).port
}

t.test('refusals that the server of the tests does not make', async (t) => {
  const url = (port: number, rest = '') => `postgres://app:secret@127.0.0.1:${port}/shop${rest}`
  const rejected = await refusingServer(t, '28P01', 'password authentication failed for user "app"')
  await assertWrong(t, url(rejected), /^Password: the server rejects the password of "app"/)
  const rules = await refusingServer(t, '28000', 'no pg_hba.conf entry for host "127.0.0.1", user "app", no encryption')
  await assertWrong(t, url(rules, '?sslmode=disable'), /^TLS mode: .* requires TLS, and sslmode=disable/)
  await assertWrong(t, url(rules), /^User: .*pg_hba.conf/)
  const starting = await refusingServer(t, '57P03', 'the database system is starting up')
  await assertWrong(t, url(starting), /accepts no connections now/)
  for (const port of [rejected, rules]) t.notMatch((await failureOf(url(port))).message, /secret/)
})

t.test('a port where another program listens', async (t) => {
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as { readonly port: number }
  await assertWrong(
    t,
    `postgres://app@127.0.0.1:${port}/x`,
    /^Port: what listens on port \d+ .* is no PostgreSQL server/,
  )
})

t.test('names, secrets and paths of URLs', async (t) => {
  t.equal(databaseNameOf('postgres://app:x@host:5432/shop?sslmode=require'), 'shop')
  t.equal(databaseNameOf('sqlite:./data/chinook.sqlite3'), 'chinook')
  t.equal(databaseNameOf('postgres://host'), 'database')
  t.ok(hasSecret('postgres://app:x@host/shop'))
  t.ok(hasSecret('postgres://app@host/shop?password=x'))
  t.notOk(hasSecret('postgres://app@host/shop?sslmode=require'))
  t.equal(urlFrom('sqlite:chinook.db', '/srv', '/srv/shop'), 'sqlite:../chinook.db')
  t.equal(urlFrom('sqlite:/data/chinook.db', '/srv', '/srv/shop'), 'sqlite:/data/chinook.db')
  t.equal(urlFrom('postgres://host/shop', '/srv', '/srv/shop'), 'postgres://host/shop')
})
