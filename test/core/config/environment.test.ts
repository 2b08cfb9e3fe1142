import t from 'tap'
import { assembleConfigSchema, listKeys } from '../../../core/config/assemble-schema.ts'
import { environmentName } from '../../../core/config/environment.ts'
import { valueAt } from '../../../core/config/key-path.ts'
import { faultsOf, load, MANIFESTS } from './helpers.ts'

const SAMPLES: Readonly<Record<string, readonly [string, unknown]>> = {
  string: ['some text', 'some text'],
  integer: ['17', 17],
  number: ['0.5', 0.5],
  boolean: ['TRUE', true],
  array: ['a, b', ['a', 'b']],
  object: ['{"a":1}', { a: 1 }],
}

/** A value of a key, as the variable has it and as the configuration has it. A table of texts takes no numbers. */
function sampleOf({ type, additionalProperties }: Readonly<Record<string, unknown>>): readonly [string, unknown] {
  const { type: member } = (additionalProperties ?? {}) as { readonly type?: unknown }
  return member === 'string' ? ['{"a":"b"}', { a: 'b' }] : SAMPLES[type as string]!
}

/** Keys that mean nothing without another one. */
const COMPANIONS: Readonly<Record<string, string>> = {
  SVC_DATABASE__ANONYMOUS_ROLE: 'SVC_DATABASE__ROLE_CLAIM',
}

t.test('every key can be set by its variable, in the type that it wants', async (t) => {
  for (const { path, schema } of listKeys(assembleConfigSchema(MANIFESTS))) {
    const name = environmentName(path)
    const choice = (schema.enum as string[] | undefined)?.at(-1)
    const [text, value] = choice === undefined ? sampleOf(schema) : [choice, choice]
    const isTables = (schema.items as { readonly type?: string } | undefined)?.type === 'object'
    if (isTables || schema.format !== undefined) continue
    const companion = COMPANIONS[name] === undefined ? {} : { [COMPANIONS[name]]: 'some text' }
    const { config, sources } = await load(t, '', { env: { [name]: text, ...companion } })
    t.strictSame(valueAt(config, path), value, name)
    t.equal(sources.get(path.join('.'))?.place, name)
  }
})

t.test('arrays as JSON, arrays of tables, open tables, any case', async (t) => {
  const { config } = await load(t, '', {
    env: {
      SVC_SERVER__CORS__ORIGINS: '["a,b", "c"]',
      SVC_PLUGINS__USE: '[{"path":"./x.ts"}]',
      svc_server__cors__limits__Orders: '3',
      Svc_Server__Port: '1',
      SVC_PLUGINS__ENABLE: '',
    },
  })
  t.match(config, {
    server: { port: 1, cors: { origins: ['a,b', /^c$/], limits: { orders: 3 } } },
    plugins: { use: [{ path: './x.ts', options: {} }], enable: [] },
  })
})

t.test('a variable that belongs to no key is an error with the nearest', async (t) => {
  t.strictSame(await faultsOf(t, '', { env: { SVC_SERVER__PROT: '1' } }), [
    'SVC_SERVER__PROT: the environment variable SVC_SERVER__PROT belongs to no key. Did you mean "SVC_SERVER__PORT"?',
  ])
  t.match(await faultsOf(t, '', { env: { SVC_X: '1' } }), [
    /SVC_X belongs to no key\. .*SVC_SERVER__PORT is server\.port\./,
  ])
  for (const name of ['SVC_SVC__VALIDATION__EMAIL', 'SVC_SVC__VALIDATION'])
    t.match(await faultsOf(t, '', { env: { [name]: 'x' } }), [
      new RegExp(
        `${name}: rules for what clients send are no matter of the environment\\..* \\[svc\\.validation\\] in svc\\.toml`,
      ),
    ])
  t.match(await faultsOf(t, '', { env: { SVC_SERVER____PORT: '1' } }), [/belongs to no key/])
  t.match(await faultsOf(t, '', { env: { SVC_SERVER__TLS: '{}' } }), [
    'SVC_SERVER__TLS names the section [server.tls], not a key. Its keys: SVC_SERVER__TLS__ENABLED, SVC_SERVER__TLS__CERT_FILE',
  ])
})

t.test('a value that cannot be what the key wants names the variable', async (t) => {
  const env = { SVC_SERVER__PORT: 'eighty', SVC_SERVER__TLS__ENABLED: 'yes', SVC_SERVER__CORS__ORIGINS: '[1' }
  t.strictSame(await faultsOf(t, '', { env }), [
    'SVC_SERVER__CORS__ORIGINS: server.cors.origins wants an array of texts, got the text "[1".',
    'SVC_SERVER__PORT: server.port wants a whole number from 0 to 65535, got the text "eighty".',
    'SVC_SERVER__TLS__ENABLED: server.tls.enabled wants true or false, got the text "yes".',
  ])
})

t.test('variables that are no keys are left alone', async (t) => {
  const env = {
    SVC_LOG_LEVEL: 'debug',
    SVC_TEST_REQUIRE: 'all',
    SVC_DIST: '1',
    SVC_MSGBUS_URL: 'x',
    SVCX: '1',
    PORT: '1',
  }
  t.match((await load(t, '', { env })).config.server, { port: 8080 })
  const pod = {
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    SVC_SERVICE_HOST: 'x',
    SVC_PORT: 'tcp://x',
    SVC_PORT_80_TCP_ADDR: 'x',
  }
  t.match((await load(t, '', { env: pod })).config.server, { port: 8080 })
  t.match(await faultsOf(t, '', { env: { SVC_PORT: '80' } }), [/belongs to no key/], 'but not outside of a pod')
})

t.test('a key may have a variable of a name of its own, with the prefix, too', async (t) => {
  const most = { type: 'integer', default: 1, environment: 'SVC_MOST', description: 'Most.' }
  const options = { type: 'object', properties: { most } }
  const own = { name: 'limits', version: '1.0.0', kernelApi: 1, description: 'Limits.', config: 'limits', options }
  const catalog = () => ({ manifests: [own], presetDefaults: {} })
  const { config } = await load(t, '', { catalog, env: { SVC_MOST: '7', SVC_MCP_STDIO: '1' } })
  t.match(config, { limits: { most: 7 } })
  t.match(await faultsOf(t, '', { catalog, env: { SVC_MOSTLY: '7' } }), [/SVC_MOSTLY belongs to no key/])
})

t.test('a variable that svc.toml refers to may have any name, and no other is excused by it', async (t) => {
  const toml = 'svc.schema_file = "${SVC_MY_SCHEMA}"\n[server.cors]\norigins = ["${SVC_ORIGIN:-x}", "$${SVC_PLAIN}"]\n'
  const env = { SVC_MY_SCHEMA: 'a.json', SVC_ORIGIN: 'https://a.example' }
  const { config } = await load(t, toml, { env })
  t.match(config, { svc: { schema_file: 'a.json' } })
  t.strictSame(valueAt(config, ['server', 'cors', 'origins']), ['https://a.example', '${SVC_PLAIN}'])
  t.match(await faultsOf(t, toml, { env: { ...env, SVC_MY_SCHEMAS: 'x' } }), [/SVC_MY_SCHEMAS belongs to no key/])
  t.match(await faultsOf(t, toml, { env: { ...env, SVC_PLAIN: 'x' } }), [/SVC_PLAIN belongs to no key/])
  const port = await load(t, 'svc.schema_file = "${SVC_SERVER__PORT}"\n', { env: { SVC_SERVER__PORT: '81' } })
  t.match(port.config, { svc: { schema_file: /^81$/ }, server: { port: 81 } }, 'a key stays a key')
})
