import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import type { InjectResponse } from '../../../core/service/http/inject.ts'
import { loadSchema } from '../../../core/service/load-schema.ts'
import type {} from '../../../plugins/admin/api.ts'
import { grafanaDashboard } from '../../../plugins/admin/dashboard/grafana-dashboard.ts'
import admin from '../../../plugins/admin/index.ts'
import { EXAMPLES } from '../../../plugins/admin/options.ts'
import apq from '../../../plugins/apq/index.ts'
import jwt from '../../../plugins/jwt/index.ts'
import metrics from '../../../plugins/metrics/index.ts'
import rateLimiting from '../../../plugins/rate-limiting/index.ts'
import { listManifests } from '../../../scripts/docs/config-sections.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { requireService } from '../../helpers/services.ts'

const TOKEN = 'the-admin-token-of-32-characters!'
const READER = 'the-reading-token-of-32-chars-too'
const PATH = '/api/v1/admin'
const ALERTS = new URL('../../../deploy/prometheus/alerts.yml', import.meta.url)

/** Metrics that are on no panel, and why. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  svc_trusted_documents_warmed_total:
    'counted when a service starts and when its schema changes: a rate of it says nothing',
  svc_cache_hit_ratio:
    'of the whole time since the start; the panel makes it of the hits and misses of the time that is looked at',
}

let failing = false

/** Has a cache of its own that can be cleared by entity. */
const shelf = definePlugin(
  { name: 'shelf', version: '1.0.0', kernelApi: 1, description: 'Keeps things.', after: ['admin'] },
  (scope) => {
    scope.perGeneration(() => {
      if (failing) throw new Error('no room for the schema at hunter2')
    })
    const api = scope.use('admin', { optional: true })
    api?.cache({
      name: 'response',
      stats: () => ({ entries: 3, hits: 1, misses: 2, ttlSecs: 60, maxEntries: 100 }),
      clear: (what) => (what.scope === 'entity' && what.entityType === 'Book' ? 2 : what.scope === 'all' ? 3 : null),
    })
    api?.route(scope, {
      method: 'POST',
      path: '/shelf',
      writes: true,
      handler() {
        throw new Error('postgres://root:hunter2@db says no')
      },
    })
  },
)

t.test('admin API', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const test: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: LIBRARY_SQL }) }
  const database = await openTestDatabase(t, test)
  const folder = t.testdir({})
  const compile = async (schema: typeof OPEN_LIBRARY) =>
    JSON.stringify(compileArtifact(schema, await readCatalogFor(schema, database), { dialect: database.dialect }))
  const { queries = [] } = OPEN_LIBRARY
  const changed = join(folder, 'changed.json')
  writeFileSync(changed, await compile({ ...OPEN_LIBRARY, queries: queries.slice(0, 1) }))
  const options = { enabled: true, token: TOKEN, readonly_token: READER }
  const open = (more: object = {}) =>
    openApp(t, test, OPEN_LIBRARY, {
      load: loadSchema,
      describeConfig: () => ({ server: { port: 80, admin: { token: '[REDACTED]' } }, list: ['a', 1], plugins: {} }),
      plugins: [
        entry(rateLimiting),
        entry(jwt, { jwt_secret: 'a secret of thirty-two bytes at least' }),
        entry(admin, { ...options, ...more }),
        entry(apq),
        entry(metrics),
        entry(shelf),
      ],
    })
  const app = await open()
  const ask = (method: string, path: string, token: string | null = TOKEN, body?: unknown) =>
    app.inject({
      method,
      url: `${PATH}${path}`,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    })
  const read = (reply: InjectResponse) => ({ ...reply.json<Record<string, unknown>>(), status: reply.status }) as Answer

  await t.test('tokens', async (t) => {
    const MISSING = {
      status: 'error',
      error: {
        code: 'UNAUTHENTICATED',
        message: 'The admin API needs "Authorization: Bearer <admin token>".',
        details: {},
      },
      code: 'UNAUTHENTICATED',
    }
    const routes = [
      ['POST', '/reload-schema', true],
      ['POST', '/cache/clear', true],
      ['GET', '/cache/stats', false],
      ['GET', '/config', false],
      ['GET', '/grafana-dashboard', false],
    ] as const
    for (const [method, path, writes] of routes) {
      const refused = await ask(method, path, null)
      t.equal(refused.status, 401)
      t.strictSame(refused.json(), MISSING, `${method} ${path} without a token`)
      t.equal((await ask(method, path, READER)).status, writes ? 403 : 200, `${method} ${path} with the reading token`)
    }
    const bad = async (authorization: string) =>
      (await app.inject({ method: 'GET', url: `${PATH}/config`, headers: { authorization } })).status
    t.same(await Promise.all(['Bearer', `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN} x`].map(bad)), [401, 401, 401, 401])
    t.equal(await bad(`bearer ${TOKEN}`), 200, 'the scheme has no case (RFC 9110)')
    const missing = await ask('GET', '/config', null)
    t.match(missing.headers, { 'www-authenticate': /Bearer/, 'cache-control': 'no-store' })
    t.equal(missing.json<{ status: string }>().status, 'error')
  })

  await t.test('wrong tokens are refused, and counted for their address', async (t) => {
    const app = await open({ max_failures_per_minute: 3 })
    const ask = (token: string) =>
      app.inject({ method: 'GET', url: `${PATH}/config`, headers: { authorization: `Bearer ${token}` } })
    for (let i = 0; i < 12; i++) t.equal((await ask(READER)).status, 200, 'a right one is no failed login')
    for (let i = 0; i < 3; i++) t.match(read(await ask(`${TOKEN}${i}`)), { status: 403, code: 'FORBIDDEN' })
    const locked = await ask(TOKEN)
    t.match(read(locked), { status: 429, code: 'RATE_LIMITED' })
    t.match(locked.headers, {
      'retry-after': /^(60|59)$/,
      'x-ratelimit-limit': /^3$/,
      'x-ratelimit-remaining': /^0$/,
      'x-ratelimit-reset': /^\d{10}$/,
    })
    t.equal((await app.graphql('{ shelves { label } }')).status, 200, 'others at this address go on')
  })

  await t.test('the configuration, as texts by dotted key', async (t) => {
    t.same((await ask('GET', '/config', READER)).json(), {
      status: 'success',
      data: {
        version: '0.0.0-test',
        config: { 'server.port': '80', 'server.admin.token': '[REDACTED]', list: '["a",1]', plugins: '{}' },
      },
    })
  })

  await t.test('caches', async (t) => {
    await app.graphql('{ shelves { label } }')
    await app.graphql('{ shelves { label } }')
    type Cache = Record<string, unknown>
    const stats = async () => {
      const { data } = (await ask('GET', '/cache/stats')).json<{ data: { caches: Cache[] } }>()
      return Object.fromEntries(data.caches.map((one) => [one.cache, one]))
    }
    t.match(await stats(), {
      query_plan: { configured: true, entries_count: 1, hits: 1, hit_rate: 0.5, max_entries: null },
      response: {
        configured: true,
        entries_count: 3,
        hits: 1,
        misses: 2,
        hit_rate: 0.3333,
        ttl_secs: 60,
        max_entries: 100,
      },
      apq: { configured: true, entries_count: 0, hits: 0, max_entries: Number },
    })
    t.match(read(await ask('POST', '/cache/clear', TOKEN, { scope: 'entity', entity_type: 'Book' })), {
      data: {
        success: true,
        entries_cleared: 2,
        caches: [
          { cache: 'query_plan', configured: true, entries_cleared: 0, note: /scope "all"/ },
          { cache: 'response', entries_cleared: 2, note: null },
          { cache: 'apq', entries_cleared: 0, note: /scope "all"/ },
        ],
      },
    })
    t.match(read(await ask('POST', '/cache/clear')), { data: { entries_cleared: 4 } }, 'without a body: all')
    t.match(await stats(), { query_plan: { entries_count: 0 } })
    t.equal((await app.graphql('{ shelves { label } }')).status, 200)
    for (const body of [
      { scope: 'x' },
      { entity_type: 'Book' },
      { scope: 'pattern' },
      { scope: 'entity', entity_type: 7 },
      [],
    ]) {
      t.match(read(await ask('POST', '/cache/clear', TOKEN, body)), { status: 400, code: 'VALIDATION_ERROR' })
    }
    t.match(read(await ask('POST', '/cache/clear', TOKEN, { extra: 1 })), { error: { message: /no member "extra"/ } })
  })

  await t.test('a schema is loaded in the place of the one that serves', async (t) => {
    const reload = async (body: unknown) => read(await ask('POST', '/reload-schema', TOKEN, body))
    const refused = async (schema_path: unknown) => reload({ schema_path })
    for (const path of [
      '',
      '  ',
      7,
      undefined,
      'changed.json',
      './changed.json',
      `${folder}/../x.json`,
      `${folder}/a\0b`,
    ]) {
      t.match(await refused(path), { status: 400, code: 'VALIDATION_ERROR' }, JSON.stringify(path))
    }
    t.match(await reload({ schema_path: changed, validate_only: 'yes' }), { status: 400, code: 'VALIDATION_ERROR' })
    mkdirSync(join(folder, 'folder'))
    writeFileSync(join(folder, 'secret.txt'), 'root:x:0:0')
    for (const name of ['none.json', 'folder', 'secret.txt']) {
      const answer = await refused(join(folder, name))
      t.match(answer, { status: 400, code: 'PARSE_ERROR' }, name)
      t.notMatch(JSON.stringify(answer), /root|Unexpected/, 'nothing of what the file holds')
    }
    writeFileSync(join(folder, 'other.json'), '{"version": "9"}')
    const broken = await refused(join(folder, 'other.json'))
    t.match(broken, { status: 400, code: 'PARSE_ERROR' })
    t.match(broken.error?.message, /other|schema/i, 'why, because who asks is an operator')

    failing = true
    const failed = await reload({ schema_path: changed, validate_only: true })
    failing = false
    t.match(failed, { status: 500, code: 'INTERNAL_ERROR' }, 'a plugin that cannot take the schema')
    t.notMatch(JSON.stringify(failed), /hunter2/)
    symlinkSync(changed, join(folder, 'link.json'))
    symlinkSync('/dev/zero', join(folder, 'endless.json'))
    const linked = await reload({ schema_path: join(folder, 'link.json'), validate_only: true })
    t.match(linked, { status: 200 }, 'a mounted ConfigMap is a symlink')
    t.match(await refused(join(folder, 'endless.json')), { status: 400, code: 'PARSE_ERROR' })

    const before = app.kernel.generation.hash
    t.match(await reload({ schema_path: changed, validate_only: true }), {
      status: 200,
      data: { success: true, message: /is valid/ },
    })
    t.equal(app.kernel.generation.hash, before, 'it was looked at alone')
    const both = await Promise.all([reload({ schema_path: changed }), reload({ schema_path: changed })])
    t.same(both.map(({ status }) => status).sort(), [200, 409], 'one at a time')
    t.match(
      both.find(({ status }) => status === 409),
      { code: 'CONFLICT' },
    )
    t.match(
      both.find(({ status }) => status === 200),
      { data: { success: true, message: /serves since now; it took \d+ ms/ } },
    )
    t.not(app.kernel.generation.hash, before)
    t.match(await reload({ schema_path: changed }), { status: 200, data: { success: true, message: /unchanged/ } })
  })

  await t.test('a fault of a handler says nothing of itself', async (t) => {
    const answer = read(await ask('POST', '/shelf'))
    t.match(answer, { status: 500, code: 'INTERNAL_ERROR', error: { details: { errorId: String } } })
    t.notMatch(JSON.stringify(answer), /hunter2|postgres/)
    t.equal((await ask('POST', '/shelf', READER)).status, 403, 'the gate stands before the handlers of other plugins')
  })

  const shown = (await app.inject({ method: 'GET', url: '/metrics' })).text
  const counted = new Set([
    ...[...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name),
    ...listManifests().flatMap(({ metrics = {} }) => Object.keys(metrics)),
  ])
  const namesIn = (expr: string) =>
    [...expr.matchAll(/\b(?:svc|process|audit_log)_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''))

  await t.test('the dashboard shows each metric that is counted, and no other', async (t) => {
    const dashboard = (await ask('GET', '/grafana-dashboard', READER)).json<Dashboard>()
    t.same(dashboard, JSON.parse(JSON.stringify(grafanaDashboard())), 'bare, as it is imported')
    t.match(dashboard, { uid: 'svc-performance', title: 'SVC Performance', schemaVersion: 39 })
    const first = dashboard.panels.filter(({ type }) => type !== 'row')
    t.equal(first.length, 12)
    const rows = dashboard.panels.filter(({ type }) => type === 'row')
    const all = [...first, ...rows.flatMap(({ panels = [] }) => panels)]
    const ids = [...all, ...rows].map(({ id }) => id)
    t.equal(new Set(ids).size, ids.length, 'each has its own id')
    const places = first.map(({ gridPos: { x, y } }) => `${x} ${y}`)
    t.equal(new Set(places).size, places.length)
    const named = new Set<string>()
    for (const { title, targets = [] } of all) {
      for (const { expr } of targets) {
        const names = namesIn(expr)
        t.ok(names.length > 0, title)
        // Without a list of its own it takes what follows for one.
        if (/group_(left|right)/.test(expr)) t.match(expr, /group_(left|right) \([a-z_, ]*\)/, title)
        for (const name of names) {
          t.ok(counted.has(name), `${title}: ${name}`)
          named.add(name)
        }
      }
    }
    for (const name of counted) {
      t.equal(named.has(name), !Object.hasOwn(NOT_SHOWN, name), `${name}: on a panel, or left out with a reason`)
    }
    for (const name of Object.keys(NOT_SHOWN)) t.ok(counted.has(name), `${name} is still counted`)
  })

  await t.test('so is each of the alert rules', async (t) => {
    const rules = readFileSync(ALERTS, 'utf8')
    const exprs = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr)
    t.equal(exprs.length, [...rules.matchAll(/^ +- alert: Svc\w+$/gm)].length)
    for (const expr of exprs) {
      const names = namesIn(expr)
      t.ok(names.length > 0, expr)
      for (const name of names) t.ok(counted.has(name), name)
      // Every process of a Prometheus has those.
      if (names.some((name) => name.startsWith('process_')))
        t.match(expr, /and on \(job, instance, worker\) svc_build_info/)
    }
  })

  await t.test('well-known tokens are refused at boot', async (t) => {
    await t.rejects(open({ token: EXAMPLES[0] }), { message: /token of the example/ })
    await t.rejects(open({ token: 'short' }), { message: /32 characters/ })
    await t.rejects(open({ token: undefined }), { message: /has no token/ })
  })

  await t.test('tokens that no request can bring do not boot', async (t) => {
    for (const bad of [`${TOKEN}\n`, ` ${TOKEN}`, TOKEN.replace('-', ','), TOKEN.replace('e', 'é'), ' '.repeat(40)]) {
      await t.rejects(open({ token: bad }), { message: /has a token with a character/ })
      await t.rejects(open({ readonly_token: bad }), { message: /has a readonly_token with a character/ })
    }
    const every = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => 33 + i)).replace(',', '')
    const app = await open({ token: every })
    const headers = { authorization: `Bearer ${every}` }
    t.equal((await app.inject({ method: 'GET', url: `${PATH}/config`, headers })).status, 200)
  })

  await t.test('a token that only reads, and is the other one, is warned of', async (t) => {
    const warned = async (more: object) =>
      (await open(more)).signals.some((signal) => signal.type === 'warning' && /same as token/.test(signal.message))
    t.equal(await warned({ readonly_token: TOKEN }), true)
    t.equal(await warned({}), false)
    t.equal(await warned({ readonly_token: undefined }), false)
  })

  await t.test('without the plugin there is nothing', async (t) => {
    const bare = await openApp(t, test, OPEN_LIBRARY)
    t.equal((await bare.inject({ method: 'GET', url: `${PATH}/config` })).status, 404)
  })
})

interface Answer extends Readonly<Record<string, unknown>> {
  readonly status: number
  readonly error?: { readonly message: string }
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number }
  readonly targets?: readonly { readonly expr: string }[]
  readonly panels?: readonly Panel[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
}
