import t from 'tap'
import { definePlugin } from '../../../../core/kernel/plugin.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { type OpenAppOptions, openApp } from '../../../helpers/open-app.ts'
import { requireService, type TestLike } from '../../../helpers/services.ts'

t.setTimeout(60_000)

const SQL = `
CREATE TABLE tb_item (id int PRIMARY KEY);
INSERT INTO tb_item VALUES (1);
CREATE VIEW v_item AS SELECT id FROM tb_item;
CREATE VIEW v_nap AS SELECT 1 AS id FROM (SELECT pg_sleep(0.3) OFFSET 0) s;
CREATE FUNCTION fn_add(p_id int) RETURNS int LANGUAGE sql AS $$ INSERT INTO tb_item VALUES (p_id) RETURNING id $$;
`
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: ['Item', 'Nap'].map((name) => ({
    name,
    sql_source: `v_${name.toLowerCase()}`,
    fields: [{ name: 'id', type: 'ID!' }],
  })),
  queries: [
    { name: 'items', type: '[Item!]!', sql_source: 'v_item' },
    { name: 'naps', type: '[Nap!]!', sql_source: 'v_nap' },
  ],
  mutations: [{ name: 'add', type: 'Item', sql_source: 'fn_add', arguments: [{ name: 'id', type: 'Int!' }] }],
}
/** Takes its time to find out who it is, and whether they may. */
const slow = definePlugin<unknown>(
  { name: 'slow', version: '1.0.0', kernelApi: 1, description: 'Takes its time.' },
  (scope) => {
    const wait = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))
    scope.on('authenticate', () => wait(60))
    scope.on('authorize', () => wait(80))
  },
)

async function open(t: TestLike, options: OpenAppOptions) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { url, ...options })
  return {
    app,
    /** Stages of the header with their milliseconds; \`null\` = no header. */
    async ask(query: string, path = '/graphql') {
      const { headers, text } = await app.inject({ url: path, ...(path === '/graphql' ? { body: { query } } : {}) })
      const header = headers['server-timing']
      if (header === undefined) return { stages: null, header, text }
      const stages: Record<string, number> = {}
      for (const entry of String(header).split(', ')) {
        const [, name, ms] = /^(\w+);dur=(\d+\.\d\d)(?:;desc="[^"]*")?$/.exec(entry) ?? []
        if (name === undefined) throw new Error(`not an entry: ${entry}`)
        stages[name] = Number(ms)
      }
      return { stages, header, text }
    },
  }
}

t.test('Server-Timing says how long each stage took', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const plugins = [{ plugin: slow as never, options: {}, source: 'test' }]
  const { ask } = await open(t, { debug: { enabled: true }, plugins })

  const { stages, text } = await ask('{ naps { id } }')
  t.match(text, /"data":\{"naps":\s*\[\{"id":\s*"1"\}\]\}/)
  t.strictSame(Object.keys(stages!), ['auth', 'parse', 'hooks', 'plan', 'sql', 'complete', 'respond', 'total'])
  const { auth, hooks, sql, total, ...rest } = stages as Record<string, number>
  t.ok(auth! >= 55, `auth ${auth}`)
  t.ok(hooks! >= 75, `hooks ${hooks}`)
  t.ok(sql! >= 295, `sql ${sql}`)
  const sum = auth! + hooks! + sql! + Object.values(rest).reduce((all, ms) => all + ms, 0)
  t.ok(sum <= total! + 1, `${sum} of ${total}`)
  t.ok(sum >= total! * 0.8, 'hardly anything is left over')

  await t.test('each request has its own', async (t) => {
    await ask('{ items { id } }')
    const [nap, item] = await Promise.all([ask('{ naps { id } }'), ask('{ items { id } }')])
    t.ok(nap.stages!.sql! >= 295)
    t.ok(item.stages!.sql! < nap.stages!.sql!, `${item.stages!.sql}`)
  })

  await t.test('writes, constants, failures, other routes', async (t) => {
    const write = await ask('mutation { add(id: 2) { id } }')
    t.match(write.header, /sql;dur=\d+\.\d\d;desc="[1-9] statements?"/)
    const constant = await ask('{ __typename }')
    t.strictSame(Object.keys(constant.stages!), ['auth', 'parse', 'hooks', 'plan', 'respond', 'total'])
    const wrong = await ask('{ nope }')
    t.strictSame(Object.keys(wrong.stages!), ['auth', 'total'])
    const refused = await ask('mutation { add(id: 1) { id } }')
    t.match(refused.text, /CONFLICT/)
    t.ok(refused.stages!.sql! > 0)
    t.strictSame(Object.keys((await ask('', '/health/live')).stages!), ['total'])
    t.strictSame(Object.keys((await ask('', '/nowhere')).stages!), ['total'])
  })
})

t.test('nothing is measured by default', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  for (const debug of [
    { enabled: false, server_timing: true },
    { enabled: true, server_timing: false },
  ]) {
    const { ask } = await open(t, { debug })
    t.equal((await ask('{ items { id } }')).stages, null)
  }
})

t.test('streams and shared headers are left as they are', async (t) => {
  const { createServerTiming } = await import('../../../../core/service/http/server-timing.ts')
  const headers = Object.freeze({ etag: 'x' })
  const reply = Object.freeze({ status: 200, headers, body: null })
  const ctx = { transport: 'http', replyHeaders: null }
  createServerTiming().exchange?.(ctx as never, () => reply)
  t.match(ctx.replyHeaders, { 'server-timing': /^total;dur=/ })
  t.strictSame(headers, { etag: 'x' })
})
