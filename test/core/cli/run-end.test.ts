import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { main } from '../../../core/cli/main.ts'
import { runService } from '../../helpers/service.ts'
import { createTestIo } from './helpers.ts'

// Several services are started one after the other.
t.setTimeout(600_000)

const CLI = fileURLToPath(new URL('../../../bin/svc.js', import.meta.url))
const SCHEMA = `
import { type, field, query, list, ID } from 'svc/authoring'
@type()
export class Book { @field(ID) id!: string }
export class Api { @query(() => list(Book), { sqlSource: 'v_book' }) books!: unknown }
`
const TOML = `
[database]
url = "sqlite::memory:"
[security]
default_policy = "public"
[server]
host = "127.0.0.1"
port = 0
shutdown_grace_ms = 0
shutdown_timeout_ms = 3000
[plugins]
preset = "minimal"
enable = ["sqlite"]
[[plugins.use]]
path = "./one.js"
`
const plugin = (body: string): string => `
import { definePlugin } from 'svc'
const manifest = { name: 'one', version: '1.0.0', kernelApi: 1, description: 'One.' }
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export default definePlugin(manifest, async (scope) => { ${body} })
`

/** What answers \`/slow\` after a while, and fails beside it at \`/fault\`. */
const FAULTY = plugin(`
  scope.route({ method: 'GET', path: '/slow', anonymous: true, async handler() {
    await sleep(700)
    return { status: 200, headers: {}, body: 'slow but whole' }
  } })
  scope.route({ method: 'GET', path: '/fault', anonymous: true, handler(ctx) {
    if (ctx.queryString === 'rejection') Promise.reject(new TypeError('nobody waits for this'))
    else setTimeout(() => { throw new TypeError('nobody calls this') }, 1)
    return { status: 200, headers: {}, body: 'begun' }
  } })
`)

let artifact: string | undefined
async function projectWith(t: Test, one: string): Promise<string> {
  const dir = t.testdir({
    'svc.toml': TOML,
    'schema.ts': SCHEMA,
    'one.js': one,
    'schema.compiled.json': artifact ?? '',
  })
  if (artifact === undefined) {
    const bare = t.testdir({
      'svc.toml': TOML.replace(/\[\[plugins.use\]\][\s\S]*/, ''),
      'schema.ts': SCHEMA,
      db: { '01.sql': 'CREATE TABLE v_book (id TEXT PRIMARY KEY)' },
    })
    const { io, stderr } = createTestIo(bare)
    t.equal(await main(['compile'], io), 0, stderr())
    artifact = readFileSync(`${bare}/schema.compiled.json`, 'utf8')
    return projectWith(t, one)
  }
  return dir
}

/** \`svc run\` that may never serve. */
function start(t: Test, dir: string): { child: ChildProcess; output: () => string; ended: Promise<unknown[]> } {
  const child = spawn(process.execPath, [CLI, 'run'], { cwd: dir, env: { ...process.env, DATABASE_URL: undefined } })
  t.teardown(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: once(child, 'close') }
}

async function says(output: () => string, what: RegExp): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (what.test(output())) return
    await sleep(50)
  }
  throw new Error(`not in time: ${what}: ${output()}`)
}

t.test('an error that no code handled is logged with its stack, and the requests in flight are answered', async (t) => {
  for (const [query, message] of [
    ['', 'nobody calls this'],
    ['?rejection', 'nobody waits for this'],
  ] as const) {
    const service = await runService(t, await projectWith(t, FAULTY))
    const ended = once(service.child, 'close')
    const slow = fetch(`${service.url}/slow`)
    await sleep(200)
    t.equal(await (await fetch(`${service.url}/fault${query}`)).text(), 'begun')
    t.equal(await (await slow).text(), 'slow but whole')
    t.strictSame(await ended, [1, null], 'it exits by itself, and says that it failed')
    const lines = service.output().split('\n')
    const line = lines.filter((text) => text.includes('an error that no code handled'))
    t.match(
      line.map((text) => JSON.parse(text)),
      [{ level: 'error', error: { type: 'TypeError', message, stack: /one\.js/ } }],
    )
    t.match(service.output(), /"message":"stopped"/, 'it closes what it had opened')
  }
})

t.test('SIGTERM is heard while a set-up hangs, and the log names the plugin', async (t) => {
  for (const [body, line] of [
    ["console.error('hangs'); await sleep(2 ** 30)", /stopped before it served: plugin \\"one\\" was being set up/],
    [
      "scope.onReady(async () => { console.error('hangs'); await sleep(2 ** 30) })",
      /stopped before it served: plugin \\"one\\" was getting ready/,
    ],
  ] as const) {
    const { child, output, ended } = start(t, await projectWith(t, plugin(body)))
    await says(output, /hangs/)
    const before = performance.now()
    child.kill('SIGTERM')
    t.strictSame(await ended, [0, null])
    t.ok(performance.now() - before < 5000, 'at once')
    t.match(output(), line)
  }
})

t.test('a fault during the set-up ends the boot', async (t) => {
  const body = "setTimeout(() => { throw new TypeError('nobody calls this') }, 1); await sleep(2 ** 30)"
  const { output, ended } = start(t, await projectWith(t, plugin(body)))
  t.strictSame(await ended, [1, null])
  t.match(output(), /nobody calls this/)
  t.match(output(), /stopped before it served: plugin \\"one\\" was being set up/)
})

t.test('a throw in a set-up keeps its stack; an error that was made to be read needs none', async (t) => {
  const thrown = start(t, await projectWith(t, plugin('undefined.missing')))
  t.strictSame(await thrown.ended, [2, null])
  t.match(thrown.output(), /Plugin "one" failed to set up: Cannot read properties of undefined \(reading 'missing'\)/)
  t.match(thrown.output(), /\n\s+at .*one\.js\S*:\d+:\d+/)
  const refused = start(
    t,
    await projectWith(t, plugin("throw new (await import('svc')).SvcError('SVC_CONFIG_INVALID', 'No.')")),
  )
  t.strictSame(await refused.ended, [2, null])
  t.match(refused.output(), /No\./)
  t.notMatch(refused.output(), /\n\s+at /)
})
