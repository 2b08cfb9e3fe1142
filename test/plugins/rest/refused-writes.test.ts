import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { SvcError } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import explain from '../../../plugins/explain/index.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import { matchViews } from '../../../plugins/response-cache/invalidation.ts'
import scopes from '../../../plugins/scopes/index.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from './world.ts'

/** Returns what its type does not allow. */
const SQL = `${REST_SQL}
CREATE FUNCTION fn_bad_user(p_name text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_user (name) VALUES (p_name) RETURNING to_jsonb(tb_user) - 'id' || '{"name": null}' $$;
`

const SCHEMA: AuthoredSchema = {
  ...REST_SCHEMA,
  types: (REST_SCHEMA.types ?? []).map((type) => ({
    ...type,
    fields: type.fields.map((field) => (field.name === 'salary' ? { ...field, on_deny: 'mask' as const } : field)),
  })),
  mutations: [
    ...(REST_SCHEMA.mutations ?? []).map((one) =>
      one.name === 'create_post' ? { ...one, requires_scope: 'write:post' } : one,
    ),
    {
      name: 'bad_user',
      type: 'User!',
      sql_source: 'fn_bad_user',
      operation: 'CREATE',
      rest_path: '/bad-user',
      rest_method: 'POST',
      arguments: [{ name: 'name', type: 'String!' }],
    },
  ],
}

t.test('a write that cannot be answered is not written', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const read = async (text: string) =>
    Object.values((await runOnServer(new URL(url).pathname.slice(1), text))[0] ?? {})[0]
  const users = () => read('SELECT count(*)::int FROM tb_user')
  let opened = 0
  const streamer = plugin(
    'streamer',
    (scope) =>
      scope.use('rest').stream(async () => {
        opened++
        return { status: 200, headers: {}, body: '' }
      }),
    { dependencies: ['rest'] },
  )
  const refused: string[] = []
  const looker = plugin('looker', (scope) => {
    scope.observe({
      operation(_ctx, { template }, next) {
        const heard = (error: unknown) => void refused.push(`${template.kind} ${(error as SvcError).code}`)
        void (async () => next())().catch(heard)
      },
    })
  })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, {
    debug: { enabled: true },
    plugins: [
      restPlugin(),
      testCredential(),
      entry(scopes),
      entry(queryLimits),
      entry(explain),
      entry(streamer),
      entry(looker),
    ],
  })
  const send = (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ method, url: path.startsWith('/api') ? path : `/rest/v1${path}`, headers, body })
  const once = () => ({ 'idempotency-key': randomUUID() })

  await t.test('a field that is masked is refused before', async (t) => {
    const before = await users()
    const key = once()
    for (let i = 0; i < 2; i++) {
      const { status } = await send(
        'POST',
        '/users?select=id,name,salary',
        { name: 'M' },
        { ...key, ...as({ subject: 'u' }) },
      )
      t.equal(status, 403)
    }
    t.equal((await send('POST', '/users?select=id,salary', [{ name: 'M' }], as({ subject: 'u' }))).status, 403)
    t.equal(await users(), before)
    const changed = await send(
      'PATCH',
      `/posts/${POST(1)}?select=id,author(salary)`,
      { title: 'written' },
      as({ subject: 'u' }),
    )
    t.equal(changed.status, 403)
    t.not(await read(`SELECT title FROM tb_post WHERE id = '${POST(1)}'`), 'written')
    t.same(refused, Array(4).fill('mutation FORBIDDEN'), 'who looks on, as an audit log does, hears of each')
    t.equal(
      (await send('POST', '/users', { name: 'M' }, as({ subject: 'u' }))).status,
      201,
      'left out, where nobody asked for it',
    )
  })

  await t.test('a row that its type does not allow is taken back, where it will be sent again', async (t) => {
    const before = await users()
    const key = once()
    for (let i = 0; i < 3; i++) t.equal((await send('POST', '/bad-user', { name: 'N' }, key)).status, 500)
    t.equal(await users(), before)
  })

  await t.test('a caller who has lost the right does not get the stored answer', async (t) => {
    const key = once()
    const body = { authorId: USER(1), title: 'kept' }
    const may = { ...key, ...as({ subject: 'u', scopes: ['write:post'] }) }
    t.equal((await send('POST', '/posts', body, may)).status, 201)
    t.match(await send('POST', '/posts', body, may), { status: 201, headers: { 'idempotency-replayed': 'true' } })
    t.equal((await send('POST', '/posts', body, { ...key, ...as({ subject: 'u' }) })).status, 403)
    const salary = once()
    const seeing = { ...salary, ...as({ subject: 'u', scopes: ['read:salary'] }) }
    t.equal((await send('POST', '/users?select=id,salary', { name: 'S' }, seeing)).status, 201)
    t.equal(
      (await send('POST', '/users?select=id,salary', { name: 'S' }, { ...salary, ...as({ subject: 'u' }) })).status,
      403,
    )
  })

  await t.test('an explained request opens no stream', async (t) => {
    const rest = { method: 'GET', path: '/rest/v1/posts/stream', headers: { accept: 'text/event-stream' } }
    t.ok((await send('POST', '/api/v1/query/explain', { rest })).status >= 400)
    t.equal(opened, 0)
  })

  await t.test('patterns of views', (t) => {
    const schema = app.kernel.generation.schema
    const slow = `${'*_'.repeat(250)}!`
    t.same(matchViews(schema, slow), [], 'and it does not take for ever')
    t.ok(matchViews(schema, '*').length > 1)
    t.same(matchViews(schema, 'v_us*r'), ['v_user'])
    t.same(matchViews(schema, 'v_user'), ['v_user'])
    t.same(matchViews(schema, 'v_user*user'), [], 'no character stands for two')
    t.ok(matchViews(schema, 'users:*').includes('v_user'))
    t.end()
  })
})
