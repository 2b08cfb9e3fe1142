// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration interpolates, not JavaScript
import t from 'tap'
import { load } from './helpers.ts'

const port = { flag: '--port', key: 'server.port', value: '5' }
const env = { SVC_SERVER__PORT: '4' }
const toml = '[server]\nport = 3\n'
const presetDefaults = { server: { port: 2 } }

const TABLE = [
  { name: 'flag', given: { flags: [port], env, presetDefaults }, toml, expected: 5, layer: 'flag', place: '--port' },
  {
    name: 'environment',
    given: { env, presetDefaults },
    toml,
    expected: 4,
    layer: 'environment',
    place: 'SVC_SERVER__PORT',
  },
  { name: 'file', given: { presetDefaults }, toml, expected: 3, layer: 'file', place: 'svc.toml:2' },
  { name: 'preset', given: { presetDefaults }, toml: '', expected: 2, layer: 'preset', place: 'preset' },
  { name: 'default', given: {}, toml: '', expected: 8080, layer: 'default', place: 'default' },
]

for (const { name, given, toml, expected, layer, place } of TABLE) {
  t.test(`server.port from the ${name}`, async (t) => {
    const { config, sources } = await load(t, toml, given)
    t.equal((config.server as { port: number }).port, expected)
    t.strictSame(sources.get('server.port'), { layer, place })
  })
}

t.test('tables merge key by key, arrays are replaced', async (t) => {
  const { config } = await load(t, '[server.cors]\norigins = ["https://a"]\n', {
    env: { SVC_SERVER__HOST: '127.0.0.1' },
    presetDefaults: { server: { port: 1, cors: { origins: ['x', 'y'], credentials: true } } },
  })
  t.match(config.server, { host: '127.0.0.1', port: 1, cors: { origins: ['https://a'], credentials: true } })
})

t.test('DATABASE_URL is database.url, SVC_DATABASE__URL goes before it', async (t) => {
  const file = '[database]\nurl = "pglite:memory"\n'
  const urlOf = async (env: Record<string, string>) =>
    ((await load(t, file, { env })).config.database as { url: string }).url
  t.equal(await urlOf({}), 'pglite:memory')
  t.equal(await urlOf({ DATABASE_URL: '' }), 'pglite:memory', 'an empty one is none')
  t.equal(await urlOf({ DATABASE_URL: 'postgres://a/b' }), 'postgres://a/b')
  t.equal(await urlOf({ DATABASE_URL: 'postgres://a/b', SVC_DATABASE__URL: 'postgres://c/d' }), 'postgres://c/d')
})

t.test('defaults of all sections are filled in and the result is frozen', async (t) => {
  const { config } = await load(t, '')
  t.match(config, {
    project: { name: 'my-svc-app', version: '1.0.0' },
    database: {
      ssl_mode: 'prefer',
      pool_min: 2,
      pool_max: 20,
      connect_timeout_ms: 5000,
      idle_timeout_ms: 600000,
      prepared_statements: true,
      plan_cache_mode: 'force_generic_plan',
      init_dir: /^db$/,
    },
    server: { host: '0.0.0.0', request_timeout_ms: 30000, keep_alive_secs: 75, max_body_bytes: 1048576 },
    svc: {
      schema_file: 'schema.json',
      output_file: 'schema.compiled.json',
      max_rows: 10000,
      apq: { cache_size: 1000 },
    },
    query_defaults: { where: true, order_by: true, limit: true, offset: true },
    security: { default_policy: 'authenticated' },
    plugins: { preset: 'standard', enable: [], disable: [], use: [] },
  })
  t.match(config.server, {
    tls: { enabled: false, min_version: '1.2' },
    shutdown_grace_ms: 500,
    shutdown_timeout_ms: 15000,
  })
  t.notOk('enabled' in (config.svc as object as { apq: object }).apq, 'nobody said whether apq runs')
  t.throws(() => Object.assign(config.server as object, { port: 1 }), TypeError)
  t.throws(() => (config.plugins.enable as string[]).push('x'), TypeError)
})

t.test('the catalog reads the [plugins] section of all layers before other checks', async (t) => {
  const seen: unknown[] = []
  const catalog = (section: unknown, baseDir: string) => {
    seen.push(section, baseDir)
    return { manifests: [] }
  }
  const toml = '[plugins]\npreset = "${PRESET:-full}"\ndisable = ["cors"]\n[[plugins.use]]\npath = "./audit.ts"\n'
  const { baseDir } = await load(t, toml, { catalog, env: { SVC_PLUGINS__ENABLE: 'a,b' } })
  t.strictSame(seen, [
    { preset: 'full', enable: ['a', 'b'], disable: ['cors'], use: [{ path: './audit.ts', options: {} }] },
    baseDir,
  ])
})

t.test('sections that are written are in the sources, also empty ones', async (t) => {
  const { sources } = await load(t, '[svc.apq]\n')
  t.strictSame(sources.get('svc.apq'), { layer: 'file', place: 'svc.toml:1' })
  t.equal(sources.get('server.cors'), undefined)
})
