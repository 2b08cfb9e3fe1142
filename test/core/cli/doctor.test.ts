import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { examinePackages } from '../../../core/cli/doctor/examine-packages.ts'
import { loadProject } from '../../../core/cli/project/load-project.ts'
import observersCheck from '../../../plugins/observers/doctor.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase, postgresUrl } from '../../helpers/databases.ts'
import { SMALL, writeProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { createTestIo } from './helpers.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly { readonly name: string; readonly state: string; readonly message: string }[]
}

const NAMES = [
  'configuration',
  'plugins',
  'packages',
  'compiled schema',
  'schema format',
  'set-up',
  'credentials',
  'database url',
  'database',
  'sources',
  'tables',
  'key-value store',
  'tls',
]

async function examine(folder: string, ...more: readonly string[]) {
  const { code, out, err } = await runCommand(folder, 'doctor', '--json', ...more)
  const { ok, checks } = JSON.parse(out) as Report
  const of = (name: string) => checks.find((check) => check.name === name)
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]))
  return { code, ok, err, of, states, names: checks.map(({ name }) => name) }
}

t.test('all is well, or is not, each by itself', async (t) => {
  if (!(await requireService(t, 'postgres')) || !(await requireService(t, 'redis'))) return
  const folder = t.testdir({})
  const url = await createPostgresDatabase(t)
  const database = `[database]\nurl = "${url}"\n`
  const redis = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`
  const write = (toml: string) => writeProject(folder, toml)

  write(`${database}[security]\ndefault_policy = "public"\n`)
  const fine = await examine(folder)
  t.match(fine, { code: 0, ok: true, err: '', names: NAMES })
  t.match(Object.values(fine.states).slice(0, 10), Array(10).fill('ok'))
  t.match(fine.states, { tables: /^ok$/, 'key-value store': 'skipped', tls: 'skipped' })
  t.match(fine.of('sources')?.message, '1 views and 0 functions are there')

  const text = await runCommand(folder, 'doctor')
  t.match(text, { code: 0, err: '', out: /^✓ configuration {4}svc\.toml\n✓ plugins/ })
  t.notMatch(text.out, /tls/)
  t.match((await runCommand(folder, 'doctor', '-v')).out, /^- tls {14}server\.tls is off$/m)
  t.same(await runCommand(folder, 'doctor', '-q'), { code: 0, out: '', err: '' })
  t.match(await runCommand(folder, 'doctor', 'elsewhere.toml'), { code: 1, out: /^✗ configuration/ })

  write(database)
  const guarded = await examine(folder)
  t.match(guarded, { code: 0, states: { credentials: 'warning' } })
  t.match(guarded.of('credentials')?.message, /no plugin of the list verifies any.*Set JWT_SECRET/)
  write(`${database}[security]\njwt_algorithm = "RS256"\n`)
  const short = await examine(folder)
  t.match(short, { code: 1, ok: false, states: { 'set-up': 'failed', credentials: 'skipped', database: /^ok$/ } })
  t.match(short.of('set-up')?.message, /JWT_SECRET|jwt_secret/)
  write(`${database}[security]\njwt_secret = "hunter2"\n`)
  const weak = await runCommand(folder, 'doctor', '-q')
  t.match(weak, { code: 0, out: /^! set-up {11}jwt: security\.jwt_secret \(JWT_SECRET\) has 7 bytes/ })
  t.notMatch(weak.out, /hunter2/)
  write(`${database}[security]\njwt_secret = "${'x'.repeat(32)}"\n`)
  t.match(await examine(folder), { code: 0, states: { credentials: /^ok$/ } })

  write(`${database}[svc.apq]\nenabled = true\nkvstore_url = "${redis}"\n`)
  t.match(await examine(folder), { code: 0, states: { 'key-value store': /^ok$/ } })
  write(`${database}[svc.apq]\nenabled = true\nkvstore_url = "redis://:hunter2@127.0.0.1:9"\n`)
  const away = await examine(folder)
  t.match(away, { code: 1, states: { 'key-value store': 'failed', database: /^ok$/ } })
  t.match(away.of('key-value store')?.message, /127\.0\.0\.1:9 cannot be reached/)
  t.notMatch(JSON.stringify(away), /hunter2/)
  const bus = await observersCheck({
    options: { backend: 'msgbus', msgbus_url: 'nats://127.0.0.1:9' },
    env: {},
  } as never)
  t.match(bus, [{ name: 'message bus', state: 'failed' }])

  write(`${database}[server.tls]\nenabled = true\ncert_file = "no.pem"\nkey_file = "no.pem"\n`)
  t.match(await examine(folder), { code: 1, states: { tls: 'failed' } })
})

t.test('the schema and the database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({})
  const artifact = join(folder, 'schema.compiled.json')
  const url = await createPostgresDatabase(t)
  writeProject(folder, `[database]\nurl = "${url}"\n`)
  const compiled = readFileSync(artifact, 'utf8')
  const skipped = { 'set-up': 'skipped', credentials: 'skipped', database: 'ok', sources: 'skipped' }

  const moved = tableSchema({ ...SMALL.types![0]!, sql_source: 'v_gone' })
  writeFileSync(artifact, JSON.stringify(compileArtifact(moved, null)))
  const gone = await examine(folder)
  t.match(gone, { code: 1, states: { database: /^ok$/, sources: 'failed' } })
  t.match(gone.of('sources')?.message, /^The database lacks v_gone \(Relation\)\.\nRun the migration/)
  writeFileSync(artifact, '{')
  t.match(await examine(folder), {
    code: 1,
    states: { 'compiled schema': 'failed', 'schema format': 'skipped', ...skipped },
  })
  writeFileSync(artifact, compiled.replace(/"schema_format_version":\d+/, '"schema_format_version":999'))
  t.match(await examine(folder), {
    code: 1,
    states: { 'compiled schema': /^ok$/, 'schema format': 'failed', ...skipped },
  })
  mkdirSync(join(folder, 'other'))
  t.match((await examine(folder, '--schema', 'other/none.json')).of('compiled schema'), {
    state: 'failed',
    message: /There is no compiled schema at .*none\.json\. Run `svc compile` first\./,
  })
  writeFileSync(artifact, compiled)

  const none = await examine(folder, '--database', postgresUrl('svc_test_there_is_none'))
  t.match(none, {
    code: 1,
    states: { 'database url': /^ok$/, database: 'failed', sources: 'skipped', tables: 'skipped' },
  })
  const closed = await examine(folder, '--database', 'postgres://ann:hunter2@127.0.0.1:9/shop')
  t.match(closed, { code: 1, states: { database: 'failed' } })
  t.notMatch(JSON.stringify(closed), /hunter2/)
  writeFileSync(join(folder, 'svc.toml'), '')
  t.match(await examine(folder), { code: 1, states: { 'database url': 'failed', database: 'skipped' } })
  t.match((await examine(folder)).of('database url')?.message, /set DATABASE_URL/)
  writeFileSync(join(folder, 'svc.toml'), '[sever]\nport = 1\n')
  const broken = await examine(folder)
  t.match(broken, { code: 1, names: NAMES, states: { configuration: 'failed', tls: 'skipped' } })
  t.match(broken.of('configuration')?.message, /sever/)
})

t.test('tables, files and servers of plugins', async (t) => {
  if (!(await requireService(t, 'postgres')) || !(await requireService(t, 'nats'))) return
  const folder = t.testdir({ 'documents.json': '{}', 'broken.json': '{ "a": "b" }' })
  const url = await createPostgresDatabase(t)
  const write = (toml: string) =>
    writeProject(folder, `[plugins]\npreset = "full"\n[database]\nurl = "${url}"\n${toml}`)

  write('[security.api_keys]\nenabled = true\n')
  t.match((await examine(folder)).of('tables'), {
    state: 'warning',
    message: /lacks svc_api_keys\. .*`svc tables --apply`/,
  })
  t.equal((await runCommand(folder, 'tables', '--apply')).code, 0)
  t.match((await examine(folder)).of('tables'), { state: /^ok$/, message: 'svc_api_keys' })

  write('[svc.caching]\nenabled = true\n')
  t.match((await examine(folder)).of('cache'), { state: 'warning', message: /No query .* has a cache_ttl/ })
  const [query] = SMALL.queries ?? []
  const kept = { ...SMALL, queries: [{ ...query!, cache_ttl: 60 }] }
  writeFileSync(join(folder, 'schema.compiled.json'), JSON.stringify(compileArtifact(kept, null)))
  t.match((await examine(folder)).of('cache'), { state: /^ok$/, message: /answers of relations are kept.*one machine/ })

  const manifest = (path: string, mode: string) =>
    write(`[security.trusted_documents]\nenabled = true\nmode = "${mode}"\nmanifest_path = "${path}"\n`)
  const trusted = async () => (await examine(folder)).of('trusted documents')
  manifest('documents.json', 'strict')
  t.match(await trusted(), { state: 'warning', message: /holds no document.*refused/ })
  manifest('broken.json', 'strict')
  t.match(await trusted(), { state: 'failed', message: /broken\.json cannot be used:\n"a" is no hash/ })
  manifest('gone.json', 'strict')
  t.match(await trusted(), { state: 'failed', message: /gone\.json cannot be read/ })

  const bus = (server: string) =>
    write(`[observers]\nenabled = true\nbackend = "msgbus"\nmsgbus_url = "nats://ann:hunter2@${server}"\n`)
  bus(`${SERVICES.nats.host}:${SERVICES.nats.port}`)
  t.match((await examine(folder)).of('message bus'), { state: /^ok$/, message: /NATS .* takes connections at/ })
  bus('127.0.0.1:9')
  const away = await examine(folder)
  t.match(away.of('message bus'), { state: 'failed', message: /127\.0\.0\.1:9: .*ECONNREFUSED.*Start it/ })
  t.notMatch(JSON.stringify(away), /hunter2/)

  write('[tracing]\nenabled = true\n')
  const traced = await runCommand(folder, 'doctor', '--json')
  t.match(JSON.parse(traced.out).checks.at(-1), { name: 'tracing', message: /receiver of spans/ })

  const issuer = createServer((_request, reply) => void reply.end(JSON.stringify({ keys })))
  let keys: object[] = [{ kid: 'a' }]
  await new Promise<void>((resolve) => void issuer.listen(0, '127.0.0.1', resolve))
  const keysAt = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`
  write(`[security]\njwt_audience = "shop"\njwks_uri = "${keysAt}"\n`)
  t.match((await examine(folder)).of('token keys'), { state: /^ok$/, message: /^1 of/ })
  keys = []
  t.match((await examine(folder)).of('token keys'), { state: 'warning', message: /holds no key/ })
  await new Promise((resolve) => issuer.close(resolve))
  t.match(await examine(folder), { code: 1, states: { 'token keys': 'failed', database: /^ok$/ } })
})

t.test('packages that active plugins need and that are not installed, with one command for all', async (t) => {
  const folder = t.testdir({})
  const find = async (toml: string, requires: readonly string[] = [], installed: readonly string[] = []) => {
    writeProject(folder, `[database]\nurl = "pglite:memory"\n${toml}`)
    const { list } = await loadProject({ flags: { preset: 'full' } }, createTestIo(folder).io)
    const areAbsent = (names: readonly string[]) => names.filter((name) => !installed.includes(name))
    return examinePackages(list.listed, { requires } as never, areAbsent)
  }
  t.match(await find(''), {
    name: 'packages',
    state: /^ok$/,
    message: 'the options of the plugins need no optional package',
  })
  const bus = '[observers]\nenabled = true\nbackend = "msgbus"\nmsgbus_url = "nats://127.0.0.1"\n'
  t.match(await find(bus), {
    state: 'failed',
    message:
      /^The plugin observers needs the packages "@nats-io\/transport-node", "@nats-io\/jetstream" \(backend = "msgbus"\), which are not installed\. Install them: `npm install @nats-io\/transport-node@3 @nats-io\/jetstream@3`$/,
  })
  t.match(await find(bus, [], ['@nats-io/transport-node', '@nats-io/jetstream']), {
    state: /^ok$/,
    message: 'installed: @nats-io/jetstream, @nats-io/transport-node',
  })
  const several = await find(
    `${bus}smtp_host = "mail"\nsmtp_from = "a@b.example"\n[svc.apq]\nenabled = true\nkvstore_url = "redis://127.0.0.1"\n[federation]\nenabled = true\ninline_traces = true\n[security.api_keys]\nenabled = true\nhash_algorithm = "argon2"\n`,
    ['arrow'],
  )
  const lines = several.message.split('\n')
  t.equal(lines.length, 7, several.message)
  t.match(
    lines.at(-1),
    /^All of them: `npm install (?=.*apache-arrow@21)(?=.*ioredis@6)(?=.*pbf@5)(?=.*@node-rs\/argon2@2)(?=.*nodemailer@10)(?=.*@nats-io)/,
  )
  t.match(await find('[observers]\nenabled = true\n'), { state: /^ok$/ }, 'the backend in memory needs none')
  t.match(await find('[arrow]\nenabled = false\n', ['arrow']), { state: /^ok$/ }, 'no plugin is active that needs it')
})
