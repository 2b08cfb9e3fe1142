import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { main } from '../../../core/cli/main.ts'
import { runService, svc } from '../../helpers/service.ts'
import { createTestIo } from './helpers.ts'

// Several services are started one after the other.
t.setTimeout(600_000)

const TOML = `
[database]
url = "pglite:memory"
[security]
default_policy = "public"
[server]
host = "127.0.0.1"
port = 0
shutdown_grace_ms = 0
`
const DB = {
  '01.sql': "CREATE TABLE v_book (id int PRIMARY KEY, title text NOT NULL); INSERT INTO v_book VALUES (1, 'Ulysses');",
}
const schemaOf = (query: string) => `
import { type, field, query, list, ID, String } from 'svc/authoring'
@type()
export class Book {
  @field(ID) id!: string
  @field(String) title!: string
}
export class Api {
  @query(() => list(Book), { sqlSource: 'v_book' }) ${query}!: unknown
}
`
const PROJECT = { 'svc.toml': TOML, 'schema.ts': schemaOf('books'), db: DB }

async function compile(t: Test, dir: string): Promise<void> {
  const { io, stderr } = createTestIo(dir)
  t.equal(await main(['compile'], io), 0, stderr())
}

/** A compiled project; compiled once for all tests that change nothing. */
let artifact: string | undefined
async function compiledProject(t: Test, more: Record<string, string> = {}): Promise<string> {
  if (artifact === undefined) {
    const dir = t.testdir(PROJECT)
    await compile(t, dir)
    artifact = readFileSync(`${dir}/schema.compiled.json`, 'utf8')
  }
  return t.testdir({ ...PROJECT, 'schema.compiled.json': artifact, ...more })
}

async function until(check: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (let tries = 0; tries < 4800; tries++) {
    if (await check()) return
    await sleep(25)
  }
  throw new Error(`not in time: ${what()}`)
}

async function ask(url: string, query: string): Promise<unknown> {
  const reply = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return reply.json()
}

t.test('serves until a stop signal, and reloads on SIGUSR1', async (t) => {
  const dir = t.testdir(PROJECT)
  await compile(t, dir)
  const { io, stdout, stderr, stop, reload } = createTestIo(dir, { SVC_SERVER__PORT: '0', SVC_LOG_FORMAT: 'pretty' })
  const running = main(['run'], io)
  t.teardown(stop)
  await until(() => stdout().includes('Stop with Ctrl+C.'), stderr)
  t.match(
    stdout(),
    /^svc \d+\.\d+\.\d+ serves my-svc-app 1\.0\.0\n {2}GraphQL +http:\/\/127\.0\.0\.1:\d+\/graphql\n {2}Health +http.*\/health\n {2}Schema +1 type, 1 query, 0 mutations \([0-9a-f]{12}\)\n {2}Access +public: 1 query, from this machine only\n {2}Database +pglite at pglite:memory\n {2}Plugins +postgres, pglite/,
  )
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout())![0]
  t.strictSame(await ask(url, '{ books { id title } }'), { data: { books: [{ id: '1', title: 'Ulysses' }] } })

  reload()
  await until(() => stderr().includes('the schema has not changed'), stderr)
  writeFileSync(`${dir}/schema.ts`, schemaOf('volumes'))
  await compile(t, dir)
  reload()
  await until(() => stderr().includes('schema reloaded'), stderr)
  t.strictSame(await ask(url, '{ volumes { title } }'), { data: { volumes: [{ title: 'Ulysses' }] } })
  writeFileSync(`${dir}/schema.compiled.json`, '{')
  reload()
  await until(() => stderr().includes('the old schema stays active'), stderr)
  t.strictSame(await ask(url, '{ volumes { title } }'), { data: { volumes: [{ title: 'Ulysses' }] } })

  stop()
  t.equal(await running, 0)
  t.match(stderr(), / info {2}stopped\n/)
  await t.rejects(fetch(url), 'nobody listens any more')
})

t.test('in a JSON log the served API is a line; a service without possible callers is a warning', async (t) => {
  const dir = await compiledProject(t, {
    'svc.toml': `${TOML.replace('"public"', '"authenticated"')}access_log = true\n`,
  })
  const { io, stdout, stderr, stop } = createTestIo(dir)
  const running = main(['run'], io)
  t.teardown(stop)
  await until(() => stderr().includes('"message":"serving"'), stderr)
  t.equal(stdout(), '', 'nothing stands between the lines')
  const lines = () =>
    stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.match(
    lines().find(({ message }) => message === 'serving'),
    {
      level: 'info',
      project: 'my-svc-app 1.0.0',
      graphql: /^http:\/\/127\.0\.0\.1:\d+\/graphql$/,
      access: 'with a credential: 1 query, from this machine only',
      plugins: ['postgres', 'pglite'],
    },
  )
  t.match(
    lines().filter(({ level }) => level === 'warn'),
    [{ message: /^1 operation of the schema wants a credential, and no plugin .*authenticate.*public: true/ }],
  )
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stderr())![0]
  t.match(await ask(url, 'query Shelf { books { id } }'), { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  await fetch(`${url}/health?token=secret`, { headers: { 'x-request-id': 'mine' } })
  const requests = lines().filter(({ path }) => path !== undefined)
  t.match(requests, [
    {
      level: 'info',
      message: 'POST /graphql 200',
      method: 'POST',
      status: 200,
      operation: 'Shelf',
      request_id: /^.{36}$/,
      user_id: null,
      cache_hit: null,
    },
    {
      message: 'GET /health 200',
      path: '/health',
      operation: null,
      request_id: 'mine',
      bytes: Number,
      duration_ms: Number,
    },
  ])
  t.equal(requests.length, 2)
  t.notMatch(stderr(), 'token=secret')
  stop()
  t.equal(await running, 0)
})

t.test('a port that is taken: exit code 2, and nothing stays open', async (t) => {
  const dir = await compiledProject(t)
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await until(
    () => server.listening,
    () => 'listen',
  )
  const { port } = server.address() as { port: number }
  const { io, stderr } = createTestIo(dir)
  t.equal(await main(['run', '--port', String(port)], io), 2)
  t.match(stderr(), new RegExp(`error: .*${port}`))
})

t.test('a compiled schema as the input, flags for the rest', async (t) => {
  await compiledProject(t)
  const other = t.testdir({ other: { 'api.json': artifact as string } })
  const { io, stderr, stop } = createTestIo(other)
  const argv = [
    'run',
    'other/api.json',
    '--database',
    'pglite:memory',
    '--port=0',
    '--host',
    '127.0.0.1',
    '--preset',
    'minimal',
  ]
  const running = main(argv, io)
  t.teardown(stop)
  await until(() => stderr().includes('"message":"serving"'), stderr)
  t.match(stderr(), /"plugins":\["postgres","pglite","graphql",.*"preset":"minimal"/)
  stop()
  t.equal(await running, 0)
})

t.test('--watch compiles and reloads; what does not compile changes nothing', async (t) => {
  const dir = t.testdir(PROJECT)
  await compile(t, dir)
  const { io, stderr, stop } = createTestIo(dir)
  const running = main(['run', '--watch'], io)
  t.teardown(stop)
  await until(() => stderr().includes('"message":"serving"'), stderr)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stderr())![0]
  writeFileSync(`${dir}/schema.ts`, schemaOf('volumes'))
  await until(() => stderr().includes('schema reloaded'), stderr)
  t.strictSame(await ask(url, '{ volumes { title } }'), { data: { volumes: [{ title: 'Ulysses' }] } })
  writeFileSync(`${dir}/schema.ts`, 'export const broken = ')
  await until(() => stderr().includes('does not compile'), stderr)
  t.strictSame(await ask(url, '{ volumes { title } }'), { data: { volumes: [{ title: 'Ulysses' }] } })
  stop()
  t.equal(await running, 0)
})

t.test('--watch applies what changed in the scripts to the database that runs', async (t) => {
  const toml = TOML.replace('pglite:memory', 'pglite:.svc/data')
  const dir = t.testdir({ ...PROJECT, 'svc.toml': toml })
  await compile(t, dir)
  const { io, stdout, stderr, stop } = createTestIo(dir, { SVC_SERVER__PORT: '0', SVC_LOG_FORMAT: 'pretty' })
  const running = main(['run', '--watch'], io)
  t.teardown(stop)
  await until(() => stdout().includes('Stop with'), stderr)
  t.notMatch(stderr(), /Creating/, 'the compiler has laid it out')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout())![0]

  const view = `CREATE VIEW v_old AS SELECT id, upper(title) AS title FROM v_book WHERE id < 10;`
  writeFileSync(`${dir}/db/02.sql`, view)
  await until(() => stderr().includes('is applied to the running database'), stderr)
  writeFileSync(`${dir}/schema.ts`, schemaOf('books').replace("'v_book'", "'v_old'"))
  await until(() => stderr().includes('schema reloaded'), stderr)
  const shown = { data: { books: [{ title: 'ULYSSES' }] } }
  t.strictSame(await ask(url, '{ books { title } }'), shown)
  writeFileSync(`${dir}/db/02.sql`, view.replace('upper', 'lower'))
  await until(async () => JSON.stringify(await ask(url, '{ books { title } }')).includes('ulysses'), stderr)

  const reloads = stderr().split('schema reloaded').length
  writeFileSync(`${dir}/db/01.sql`, 'CREATE TABLE v_book (id text PRIMARY KEY, title text NOT NULL);')
  await until(() => stderr().includes('stays as it is'), stderr)
  t.match(
    stderr(),
    /db\/01\.sql:1:1: relation "v_book" already exists\. The running database stays as it is, and nothing is reloaded\. To start afresh, without the data: stop svc, delete .*\.svc\/data, and run it again\./,
  )
  t.equal(stderr().split('schema reloaded').length, reloads)
  t.strictSame(await ask(url, '{ books { title } }'), { data: { books: [{ title: 'ulysses' }] } })
  stop()
  t.equal(await running, 0)
})

t.test('a plugin in TypeScript by path, which imports svc: the process and its errors are shared', async (t) => {
  const plugin = `
import { definePlugin, SvcError } from 'svc'
import { reason } from './reason.ts'
const manifest = { name: 'closed', version: '1.0.0', kernelApi: 1, description: 'Says no.' }
export default definePlugin(manifest, (scope) => {
  scope.on('authorize', () => { throw new SvcError('FORBIDDEN', reason) })
})
`
  const dir = await compiledProject(t, {
    'svc.toml': `${TOML}\n[[plugins.use]]\npath = "./closed.ts"\n`,
    'closed.ts': plugin,
    'reason.ts': "export const reason: string = 'not today'",
  })
  t.match(await svc(['plugins', '--hooks'], dir), {
    code: 0,
    stdout: /authorize +every +scopes \(guard\) → query-limits \(guard\) → policies \(guard\) → closed/,
  })
  t.match(await svc(['plugins', '--tree'], dir), { code: 0, stdout: /Set-up, in order:\n[\s\S]*closed +\d+\.\d ms/ })
  const service = await runService(t, dir)
  t.match((await service.graphql('{ books { id } }')).body.errors, [
    { message: 'not today', extensions: { code: 'FORBIDDEN' } },
  ])
  t.equal(await service.stop('SIGTERM'), 0)
})

t.test('SIGINT stops as SIGTERM does; the second signal ends it at once', async (t) => {
  const dir = await compiledProject(t)
  const service = await runService(t, dir)
  t.equal(await service.stop('SIGINT'), 0)
  const slow = await runService(t, dir, { env: { SVC_SERVER__SHUTDOWN_GRACE_MS: '60000' } })
  slow.child.kill('SIGTERM')
  await until(() => slow.output().includes('stopping'), slow.output)
  t.equal(await slow.stop('SIGTERM'), 143)
})
