import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Script } from 'node:vm'
import t, { type Test } from 'tap'
import { main } from '../../../../core/cli/main.ts'
import { createTestIo } from '../helpers.ts'

// Each service creates an embedded database.
t.setTimeout(600_000)

const TOML = `
[database]
url = "pglite:memory"
[security]
default_policy = "public"
[server]
host = "127.0.0.1"
port = 0
`
const TABLE = `CREATE TABLE v_book (id int PRIMARY KEY, title text NOT NULL); INSERT INTO v_book VALUES (1, 'Ulysses');`
const schemaOf = (query: string, view = 'v_book') => `
import { type, field, query, list, ID, String } from 'svc/authoring'
@type({ sqlSource: '${view}' })
export class Book {
  @field(ID) id!: string
  @field(String) title!: string
}
export class Api {
  @query(() => list(Book), { sqlSource: '${view}' }) ${query}!: unknown
}
`
const PLUGIN = (text: string) => `
import { definePlugin } from 'svc'
export default definePlugin(
  { name: 'hello', version: '1.0.0', kernelApi: 1, description: 'Says hello.' },
  (scope) => scope.route({ method: 'GET', path: '/hello', handler: () => ({ status: 200, headers: {}, body: '${text}' }) }),
)
`

/** Starts `svc dev`; it is stopped at the end of the test. */
async function dev(t: Test, dir: string, env: Record<string, string> = {}) {
  const process = createTestIo(dir, { SVC_LOG_FORMAT: 'pretty', ...env })
  let press = (_key: string): void => {}
  let isRestored = false
  const io = {
    ...process.io,
    onKey(listener: (key: string) => void) {
      press = listener
      return () => {
        isRestored = true
      }
    },
  }
  const running = main(['dev'], io)
  t.teardown(async () => {
    process.stop()
    await running
  })
  const output = (): string => process.stdout() + process.stderr()
  const until = async (check: () => unknown): Promise<void> => {
    for (let tries = 0; tries < 4800; tries++) {
      if (await check()) return
      await sleep(25)
    }
    throw new Error(`not in time: ${output()}`)
  }
  const url = (): string => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0] ?? ''
  return { ...process, running, output, until, url, press: (key: string) => press(key), isRestored: () => isRestored }
}

async function ask(url: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) }).catch(
    () => null,
  )
  return reply === null ? '' : reply.text()
}

async function problems(url: string): Promise<{ problems: readonly Record<string, unknown>[]; compiled: number }> {
  return (await (await fetch(`${url}/svc-dev/problems`)).json()) as never
}

t.test('svc dev starts with a schema that does not compile, and recovers', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, 'schema.ts': schemaOf('books', 'v_buch'), db: { '01.sql': TABLE } })
  const service = await dev(t, dir)
  await service.until(() => service.output().includes('The errors are at'))
  const reply = await fetch(service.url(), { headers: { accept: 'text/html' } })
  t.equal(reply.status, 503)
  const page = await reply.text()
  t.match(page, /schema\.ts:\d+:\d+/, 'the page names file and line')
  t.match(page, 'v_buch')
  t.match(await ask(service.url(), '{ books { title } }'), /SERVICE_UNAVAILABLE/)

  writeFileSync(`${dir}/schema.ts`, schemaOf('books'))
  await service.until(async () => (await ask(service.url(), '{ books { title } }')).includes('Ulysses'))
  t.strictSame((await problems(service.url())).problems, [])

  writeFileSync(`${dir}/schema.ts`, schemaOf('books', 'v_buch'))
  await service.until(async () => (await problems(service.url())).problems.length > 0)
  const [first] = (await problems(service.url())).problems
  t.match(first, { file: 'schema.ts', line: Number, column: Number, message: /v_buch/ })
  t.match(await ask(service.url(), '{ books { title } }'), 'Ulysses', 'the old schema stays active')

  writeFileSync(`${dir}/db/02.sql`, 'CREATE VIEW v_buch AS SELECT * FROM v_book')
  await service.until(async () => (await problems(service.url())).problems.length === 0)
  writeFileSync(`${dir}/db/02.sql`, 'CREATE VIEW v_buch AS SELECT * FROM v_nothing')
  await service.until(async () => (await problems(service.url())).problems.length > 0)
  t.match((await problems(service.url())).problems[0], { file: /02\.sql$/, line: 1, message: /v_nothing/ })
})

t.test('svc dev follows imported modules and plugins', async (t) => {
  const dir = t.testdir({
    'svc.toml': `${TOML}\n[[plugins.use]]\npath = "./plugins/hello.ts"\n`,
    'schema.ts': `export * from './types/book.ts'`,
    types: { 'book.ts': schemaOf('books') },
    plugins: { 'hello.ts': PLUGIN('one') },
    db: { '01.sql': TABLE },
  })
  const service = await dev(t, dir)
  await service.until(() => service.output().includes('Stop with'))
  const url = service.url()
  writeFileSync(`${dir}/types/book.ts`, schemaOf('volumes'))
  await service.until(async () => (await ask(url, '{ volumes { title } }')).includes('Ulysses'))
  const hello = async () => (await fetch(`${url}/hello`).catch(() => null))?.text()
  t.equal(await hello(), 'one')
  writeFileSync(`${dir}/plugins/hello.ts`, PLUGIN('two'))
  await service.until(async () => (await hello()) === 'two')
  writeFileSync(`${dir}/plugins/hello.ts`, 'export default nothing')
  await service.until(async () => (await ask(url, '{ volumes { title } }')).includes('SERVICE_UNAVAILABLE'))
  writeFileSync(`${dir}/plugins/hello.ts`, PLUGIN('three'))
  await service.until(async () => (await hello()) === 'three')
})

t.test('keys: the editor, a compilation, a token, help, the end', async (t) => {
  const dir = t.testdir({
    'svc.toml': TOML.replace('public', 'authenticated'),
    'schema.ts': schemaOf('books'),
    db: { '01.sql': TABLE },
  })
  mkdirSync(`${dir}/bin`)
  writeFileSync(`${dir}/bin/browser`, `#!/bin/sh\nprintf %s "$1" > '${dir}/opened'\n`, { mode: 0o755 })
  const service = await dev(t, dir, { BROWSER: `${dir}/bin/browser`, JWT_SECRET: 'a'.repeat(48) })
  await service.until(() => service.output().includes('Stop with'))
  t.match(service.stdout(), 'Operations require a credential')
  t.notMatch(service.stdout(), 'Bearer ey', 'no token without a key press')
  service.press('t')
  await service.until(() => service.stdout().includes('Bearer ey'))
  const token = /Bearer (ey[\w.-]+)/.exec(service.stdout())![1]!
  const call = (headers: Record<string, string>) =>
    fetch(`${service.url()}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"query":"{ books { title } }"}',
    }).then((reply) => reply.text())
  t.match(await call({}), 'UNAUTHENTICATED')
  t.match(await call({ authorization: `Bearer ${token}` }), 'Ulysses')

  const { compiled } = await problems(service.url())
  service.press('r')
  await service.until(async () => (await problems(service.url())).compiled > compiled)
  service.press('o')
  const { existsSync, readFileSync } = await import('node:fs')
  await service.until(() => existsSync(`${dir}/opened`) && readFileSync(`${dir}/opened`, 'utf8') !== '')
  t.equal(readFileSync(`${dir}/opened`, 'utf8'), `${service.url()}/graphql`)
  service.press('h')
  service.press('x')
  service.press('q')
  t.equal(await service.running, 0)
  t.ok(service.isRestored(), 'the terminal is restored')
})

t.test('compile errors reach pages of this machine only, and no service of svc run', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, 'schema.ts': schemaOf('books'), db: { '01.sql': TABLE } })
  const service = await dev(t, dir)
  await service.until(() => service.output().includes('Stop with'))
  const page = await fetch(`${service.url()}/graphql`, { headers: { accept: 'text/html' } })
  t.match(await page.text(), '<script src="svc-dev/problems.js">')
  for (const path of ['problems', 'problems.js']) {
    const other = await fetch(`${service.url()}/svc-dev/${path}`, { headers: { origin: 'https://example.com' } })
    t.equal(other.status, 403)
    t.match(await other.text(), '`svc dev` answers this machine only')
  }
  // The scripts of a page share their global names: as one script, a name declared twice does not compile.
  const scripts = await Promise.all(
    ['graphiql/start.js', 'svc-dev/problems.js'].map(async (path) => (await fetch(`${service.url()}/${path}`)).text()),
  )
  t.doesNotThrow(() => new Script(scripts.join('\n')))
  service.stop()
  await service.running

  const run = createTestIo(dir, { SVC_LOG_FORMAT: 'pretty' })
  const running = main(['run'], run.io)
  t.teardown(run.stop)
  await service.until(() => run.stdout().includes('Stop with'))
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(run.stdout())![0]
  t.equal((await fetch(`${url}/svc-dev/problems`)).status, 404)
  t.notMatch(await (await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })).text(), 'svc-dev')
  run.stop()
  t.equal(await running, 0)

  const refused = createTestIo(dir, { NODE_ENV: 'production' })
  t.equal(await main(['dev'], refused.io), 2)
  t.match(refused.stderr(), 'svc dev is for development')
})

t.test('svc dev waits for a valid svc.toml, and for plugins that can be loaded', async (t) => {
  const dir = t.testdir({ 'svc.toml': `${TOML}\n[servr]\n`, 'schema.ts': schemaOf('books'), db: { '01.sql': TABLE } })
  const service = await dev(t, dir)
  await service.until(() => service.stderr().includes('Waiting for a change of'))
  t.match(service.stderr(), /servr.*Did you mean "server"/s)
  t.match(service.stderr(), `Waiting for a change of ${dir}/svc.toml`)
  service.press('t')
  await service.until(() => service.stdout().includes('No token'))

  // Another fault: it is printed, too, and the command still waits.
  writeFileSync(`${dir}/svc.toml`, `${TOML}\n[[plugins.use]]\npath = "./plugins/hello.ts"\n`)
  await service.until(() => service.stderr().includes('there is no'))
  const waits = (): number => service.stderr().split('Waiting for a change').length
  const before = waits()
  await sleep(500)
  t.ok(waits() - before <= 2, 'it does not load the project again and again')
  mkdirSync(`${dir}/plugins`)
  writeFileSync(`${dir}/plugins/hello.ts`, PLUGIN('one'))
  service.press('r')
  await service.until(() => service.output().includes('Stop with'))
  t.match(await ask(service.url(), '{ books { title } }'), 'Ulysses')
  writeFileSync(`${dir}/svc.toml`, `${TOML}\n[servr]\n`)
  await service.until(async () => (await ask(service.url(), '{ books { title } }')).includes('SERVICE_UNAVAILABLE'))
  writeFileSync(`${dir}/svc.toml`, TOML)
  await service.until(async () => (await ask(service.url(), '{ books { title } }')).includes('Ulysses'))
})

t.test('svc dev ends at a fault that no file can mend', async (t) => {
  const none = createTestIo(t.testdir({}))
  t.equal(await main(['dev'], none.io), 2)
  t.match(none.stderr(), 'svc.toml')
  const flag = createTestIo(t.testdir({ 'svc.toml': TOML }))
  t.equal(await main(['dev', '--port', 'many'], flag.io), 2)
  t.match(flag.stderr(), '--port')
})
