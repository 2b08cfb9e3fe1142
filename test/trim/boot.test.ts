import t, { type Test } from 'tap'
import type { SvcError } from '../../core/base/errors/svc-error.ts'
import { entriesOf } from '../../core/config/plugin-catalog.ts'
import { PRESETS } from '../../presets/index.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { openProject, writeProject } from '../helpers/open-project.ts'
import { requireService } from '../helpers/services.ts'

t.setTimeout(400_000)

process.env.STATE_ENCRYPTION_KEY = '0123456789abcdef'.repeat(4)
// Nobody collects anything here.
process.env.OTEL_TRACES_EXPORTER = 'none'

/** Where the cases that are not of the embedded database look: to make one for each costs more than all the rest. */
const server = (await requireService(t, 'postgres')) ? await createPostgresDatabase(t) : null

/** What is left of the service when plugins are left out: it boots, or says what is missing. */
const QUERY = '{ relations(where: { name: { _eq: "pg_class" } }) { name } }'

/** What plugins need that are off without settings of their own. */
const SETTINGS: Readonly<Record<string, string>> = {
  'response-cache': '[svc.caching]\nenabled = true\n',
  admin: '[server.admin]\nenabled = true\ntoken = "0123456789abcdef0123456789abcdef"\n',
  'api-keys': '[security.api_keys]\nenabled = true\n',
  apq: '[svc.apq]\nenabled = true\n',
  'audit-log': '[security.audit_log]\nenabled = true\nsink = "table"\n',
  'error-sanitization': '[security.error_sanitization]\nenabled = true\n',
  federation: '[federation]\nenabled = true\n',
  'rate-limiting': '[security.rate_limiting]\nenabled = true\n',
  'state-encryption': '[security.state_encryption]\nenabled = true\n',
  tracing: '[tracing]\nenabled = true\n',
  oauth:
    '[security.pkce]\nenabled = true\ncallback_url = "http://localhost:8080/auth/callback"\nissuer_url = "http://127.0.0.1:1"\nclient_id = "shop"\nuser_function = "fn_user"\n',
  mcp: '[svc.mcp]\nenabled = true\n',
  observers: '[observers]\nenabled = true\nbackend = "sqldb"\n',
  'token-revocation': '[security.token_revocation]\nenabled = true\nbackend = "sqldb"\n',
  'trusted-documents': '[security.trusted_documents]\nenabled = true\nmanifest_path = "documents.json"\n',
}

function toml(preset: string, disable: readonly string[], url = 'pglite:memory'): string {
  const names = namesOf(PRESETS.find((one) => one.name === preset)!).filter((name) => !disable.includes(name))
  const secret = names.includes('jwt') ? 'jwt_secret = "a secret of thirty-two bytes at least"\n' : ''
  const settings = names.map((name) => SETTINGS[name] ?? '').join('')
  return `[database]\nurl = "${url}"\n[security]\ndefault_policy = "public"\n${secret}${settings}[plugins]\npreset = "${preset}"\ndisable = ${JSON.stringify(disable)}\n`
}

function projectOf(t: Test, ...args: Parameters<typeof toml>): string {
  const folder = t.testdir({ 'documents.json': '{}' })
  writeProject(folder, toml(...args))
  return folder
}

const namesOf = (preset: (typeof PRESETS)[number]) => entriesOf(preset).map(({ manifest }) => manifest.name)
const full = PRESETS.at(-1)!

t.test('a feature that is off by default has its settings here', async (t) => {
  const off = entriesOf(full).filter(({ manifest: { options } }) => {
    const { enabled } = (options?.properties ?? {}) as { enabled?: { default?: unknown } }
    return enabled?.default === false
  })
  t.same(off.map(({ manifest }) => manifest.name).sort(), Object.keys(SETTINGS).sort())
})

for (const preset of PRESETS) {
  t.test(`preset ${preset.name} boots, on the embedded database in memory, and serves`, async (t) => {
    const app = await openProject(t, projectOf(t, preset.name, []))
    t.same([...app.plugins].sort(), namesOf(preset).sort())
    t.match((await app.inject({ url: '/health' })).json(), { status: /^ok$/, database: { database_type: 'pglite' } })
    const reply = await app.inject({ method: 'POST', url: '/graphql', body: { query: QUERY } })
    t.strictSame([reply.status, reply.json()], [200, { data: { relations: [{ name: 'pg_class' }] } }])
  })
}

/** Plugins that need this one, with those that need these. */
function dependentsOf(name: string): readonly string[] {
  const direct = entriesOf(full)
    .map(({ manifest }) => manifest)
    .filter(({ dependencies }) => dependencies?.includes(name) === true)
    .map((manifest) => manifest.name)
  return [...new Set([...direct, ...direct.flatMap(dependentsOf)])]
}

for (const name of namesOf(full)) {
  t.test(`preset ${full.name} without ${name}`, async (t) => {
    const dependents = dependentsOf(name)
    if (dependents.length > 0) {
      const error = await openProject(t, projectOf(t, full.name, [name])).then(
        () => t.fail('it booted'),
        (failure: SvcError) => failure,
      )
      t.match(error, { code: 'SVC_BOOT_FAILED' })
      for (const dependent of dependents.filter((one) =>
        entriesOf(full).some(({ manifest }) => manifest.name === one && manifest.dependencies?.includes(name)),
      )) {
        t.match(
          (error as SvcError).message,
          `Plugin "${dependent}" needs plugin "${name}", which is not in the list. To have it: take "${name}" out of \`disable\` under [plugins].`,
        )
      }
    }
    if (name === 'pglite') {
      await t.rejects(openProject(t, projectOf(t, full.name, [name])), {
        code: 'SVC_BOOT_FAILED',
        message:
          /database\.url \(svc\.toml:2\) has the scheme "pglite".*take "pglite" out of `disable`.*SVC_DATABASE_MISSING/,
      })
      return
    }
    const url = name === 'postgres' || server === null ? undefined : server
    const app = await openProject(t, projectOf(t, full.name, [name, ...dependents], url))
    t.notOk(app.plugins.includes(name))
    t.same(
      app.kernel.routes.filter(({ plugin }) => plugin === name || dependents.includes(plugin)),
      [],
      'no route of it is left',
    )
    const probe = name === 'health' ? '/health/live' : name === 'graphql' ? '/graphql' : null
    if (probe !== null) t.equal((await app.inject({ url: probe })).status, 404)
    if (name !== 'graphql') {
      const reply = await app.inject({ method: 'POST', url: '/graphql', body: { query: QUERY } })
      t.strictSame(reply.json(), { data: { relations: [{ name: 'pg_class' }] } }, 'the rest serves')
    }
  })
}

t.test('a section of a plugin that was left out is a contradiction', async (t) => {
  const folder = t.testdir()
  writeProject(folder, `${toml('minimal', [])}[server.cors]\norigins = ["https://app.example.com"]\n`)
  await t.rejects(openProject(t, folder), {
    code: 'SVC_BOOT_FAILED',
    message: /The section \[server\.cors\].*is for plugin "cors", which is not in the list/,
  })
})
