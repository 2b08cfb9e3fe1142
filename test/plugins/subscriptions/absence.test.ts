import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { openStream } from '../sse/streams.ts'
import { connect, listen, openShop } from './shop.ts'

/** What a subscriber lacks is equal to nothing, and a subscriber without a claim that the rules need is refused at the start. */
t.setTimeout(120_000)

const SQL = `
CREATE TABLE tb_note (id int PRIMARY KEY, owner text, team uuid, text text NOT NULL);
CREATE VIEW v_note AS SELECT id, owner, team, text FROM tb_note;
CREATE VIEW v_own_note AS SELECT id, owner, team, text FROM tb_note;
CREATE FUNCTION fn_put_note(id int, owner text, text text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_note (id, owner, text) VALUES (id, owner, text)
  RETURNING jsonb_build_object('status', 'created', 'entity_id', tb_note.id, 'entity', to_jsonb(tb_note)) $$;
`
const FIELDS = [
  { name: 'id', type: 'ID!' },
  { name: 'owner', type: 'String' },
  { name: 'text', type: 'String!' },
]
const NEEDS: Readonly<Record<string, string>> = {
  equal: 'owner == context.user_id',
  turned: 'context.user_id == owner',
  different: 'owner != context.user_id',
  negated: 'not (owner == context.user_id)',
  listed: 'owner in [context.user_id, context.deputy]',
  tenant: 'context.tenant_id == owner',
  claim: 'context.deep.name == owner',
  laid: 'context.laid == owner',
}

const schema: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'Note', sql_source: 'v_note', fields: FIELDS },
    { name: 'Laid', sql_source: 'v_note', fields: FIELDS, row_filter: 'owner = {laid}' },
    {
      name: 'Ruled',
      sql_source: 'v_own_note',
      fields: [...FIELDS, { name: 'team', type: 'UUID' }],
      inject: { owner: 'jwt:owner' },
    },
    {
      name: 'Team',
      sql_source: 'v_note',
      fields: [...FIELDS, { name: 'team', type: 'UUID' }],
      inject: { team: 'jwt:team' },
    },
  ] as never,
  queries: [
    { name: 'notes', type: '[Note!]!', sql_source: 'v_note' },
    { name: 'ruled', type: '[Ruled!]!', sql_source: 'v_own_note', rest_path: '/ruled' },
    { name: 'laid', type: '[Laid!]!', sql_source: 'v_note', rest_path: '/laid' },
  ] as never,
  mutations: [
    {
      name: 'putNote',
      type: 'Note',
      sql_source: 'fn_put_note',
      operation: 'CREATE',
      arguments: [
        { name: 'id', type: 'Int!' },
        { name: 'owner', type: 'String' },
        { name: 'text', type: 'String!' },
      ],
    },
  ] as never,
  subscriptions: [
    { name: 'all', type: 'Note!' },
    ...Object.entries(NEEDS).map(([name, filter]) => ({ name, type: 'Note!', filter })),
    { name: 'unknown', type: 'Note!', filter: 'context.user_id == null' },
    { name: 'known', type: 'Note!', filter: 'context.user_id != null' },
    { name: 'injected', type: 'Note!', inject: { owner: 'jwt:owner' } },
    { name: 'ofType', type: 'Ruled!' },
    { name: 'ofTeam', type: 'Team!' },
  ],
}

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const manifest = { name: 'test-context', version: '1.0.0', kernelApi: 1, description: 'A test.' }
  const laid = definePlugin(manifest, (scope) => {
    scope.on('authenticate', (ctx) => {
      if (typeof ctx.headers['x-laid'] === 'string') ctx.context = { ...ctx.context, laid: ctx.headers['x-laid'] }
      return undefined
    })
  })
  const plugins = [laid, rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' }))
  const app = await openShop(t, { kind: 'postgres', url }, schema, { plugins })
  let last = 0
  const put = async (owner: string | null): Promise<void> => {
    const { errors } = await app.graphql(
      'mutation ($id: Int!, $owner: String) { putNote(id: $id, owner: $owner, text: "x") { id } }',
      { id: ++last, owner },
    )
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
  }

  await t.test(
    'an absent value of the caller is equal to no row, and a row without a value to no caller',
    async (t) => {
      const names = [...Object.keys(NEEDS), 'unknown', 'known']
      const told = async (params: object, owner: string | null): Promise<readonly string[]> => {
        const client = connect(t, app, params)
        const all = await listen(client, app, 'subscription { all { id } }')
        const heard = await Promise.all(
          names.map((name) => listen(client, app, `subscription { ${name} { id owner } }`)),
        )
        await put(owner)
        await all.wait(1)
        await sleep(100)
        await client.dispose()
        t.same(
          heard.filter(({ error }) => error !== null),
          [],
        )
        return names.filter((_, index) => heard[index]!.results.length > 0)
      }
      t.same(await told({}, null), ['unknown'], 'an anonymous subscriber, a row without an owner')
      t.same(await told({}, 'ann'), ['unknown'], 'an anonymous subscriber, the row of another')
      t.same(await told({ authToken: 'ann' }, null), ['known'], 'a known subscriber, a row without an owner')
      const whole = { subject: 'ann', claims: { sub: 'ann', deputy: 'eve', tenant_id: 'ann', deep: { name: 'ann' } } }
      t.same(
        await told({ authToken: JSON.stringify(whole) }, 'ann'),
        ['equal', 'turned', 'listed', 'tenant', 'claim', 'known'],
        'the twin that has the values',
      )
      t.same(await told({ authToken: JSON.stringify(whole) }, 'bob'), ['different', 'negated', 'known'])
    },
  )

  await t.test('a subscription without a claim that the rules need is refused at the start', async (t) => {
    const ask = async (params: object, field: string) => {
      const heard = await listen(connect(t, app, params), app, `subscription { ${field} { id } }`)
      return heard.error?.[0]?.extensions?.code ?? null
    }
    const as = (claims: object) => ({ authToken: JSON.stringify({ subject: 'ann', claims }) })
    for (const [field, claim, fits] of [
      ['injected', 'owner', 'ann'],
      ['ofType', 'owner', 'ann'],
      ['ofTeam', 'team', '00000000-0000-4000-8000-000000000000'],
    ] as const) {
      t.equal(await ask({}, field), 'UNAUTHENTICATED', `${field}: anonymous`)
      t.equal(await ask(as({}), field), 'FORBIDDEN', `${field}: without the claim`)
      t.equal(await ask(as({ [claim]: null }), field), 'FORBIDDEN', `${field}: the claim is null`)
      t.equal(await ask(as({ [claim]: fits }), field), null, `${field}: with the claim`)
    }
    t.equal(await ask(as({ team: 'none' }), 'ofTeam'), 'FORBIDDEN', 'a claim that does not fit its column')
    t.equal(app.metric('svc_subscriptions_active') > 0, true, 'the accepted ones are open')
  })

  await t.test('so is a stream of events, over GraphQL and of a resource', async (t) => {
    const field = (name: string) => `/graphql/stream?query=${encodeURIComponent(`subscription { ${name} { id } }`)}`
    const as = (claims: object) => ({ authorization: `Bearer ${JSON.stringify({ subject: 'ann', claims })}` })
    for (const headers of [{}, as({})]) {
      const stream = await openStream(t, app, field('ofType'), headers)
      await stream.over
      t.match(stream.text, /"code":"(?:UNAUTHENTICATED|FORBIDDEN)"/)
      t.equal(stream.text.includes('event: complete'), true)
    }
    const resource = '/rest/v1/ruled/stream'
    t.equal((await openStream(t, app, resource, {})).status, 401)
    t.equal((await openStream(t, app, resource, as({}))).status, 403)
    t.equal((await openStream(t, app, resource, as({ owner: 'ann' }))).status, 200)
    const ruled = '/rest/v1/laid/stream'
    t.equal((await openStream(t, app, ruled, as({ owner: 'ann' }))).status, 403, 'a value of the context')
    t.equal((await openStream(t, app, ruled, { ...as({ owner: 'ann' }), 'x-laid': 'ann' })).status, 200)
  })
}
