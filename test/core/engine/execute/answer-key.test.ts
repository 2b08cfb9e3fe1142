import t from 'tap'
import { createGeneratedInputs, createOperationMaker } from '../../../../core/doors/front.ts'
import type { Operation, QueryModel } from '../../../../core/doors/plugin.ts'
import { testCompile, testPlugin } from '../../../../core/testing/testing.ts'
import { plugin } from '../../../helpers/kernel.ts'

const { schema } = testCompile({}, {
  version: '1',
  types: [
    {
      name: 'Note',
      sql_source: 'v_note',
      inject: { tenant_id: 'jwt:org.tenant' },
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'tags', type: '[Tag!]!', relation: { from: 'id', to: 'fk_note' } },
      ],
    },
    { name: 'Tag', sql_source: 'v_tag', row_filter: 'colour = {colour}', fields: [{ name: 'id', type: 'ID!' }] },
    { name: 'Free', sql_source: 'v_free', fields: [{ name: 'id', type: 'ID!' }] },
  ],
  queries: [
    { name: 'notes', type: '[Note!]!' },
    { name: 'frees', type: '[Free!]!' },
  ],
} as never)

t.test('the key of an answer contains what its rows depend on', async (t) => {
  let keyOf = (_exchange: never, _operation: Operation): string | null => null
  const tested = await testPlugin(
    plugin('keys', (scope) => {
      keyOf = scope.engine.answerKey
      scope.on('authorize', ({ auth }, _operation, access) => {
        if (auth?.roles.includes('some')) access.where('Free', { id: { _in: ['1'] } })
        if (auth?.roles.includes('set')) access.set('app.user', auth.subject)
      })
    }),
    {
      dependencies: [plugin('jwt')],
      schema: schema!,
      resolve: (exchange, operation) => ({ data: keyOf(exchange as never, operation), errors: null }),
    },
  )
  const maker = createOperationMaker({ inputs: createGeneratedInputs() })
  const ask = (name: string, asked = {}) => maker.make(schema!.queries.get(name) as QueryModel, asked)
  const auth = (subject: string, tenant: unknown, ...roles: string[]) => ({
    auth: { subject, claims: { sub: subject, org: { tenant } }, scopes: [], roles, method: 'test' },
  })
  const key = async (operation: Operation, who: object = {}): Promise<string | null> =>
    (await tested.run(tested.exchange(who), operation)).data
  const [frees, notes] = [ask('frees'), ask('notes')]
  const tagged = ask('notes', { fields: { tags: { id: true } } })

  await t.test('callers who see the same rows share the key', async (t) => {
    t.match(await key(frees), /^[\w-]{43}$/)
    t.equal(await key(frees), await key(frees, auth('ann', 1)), 'no rule looks at the caller')
    t.equal(await key(notes, auth('ann', 1)), await key(notes, auth('bob', 1)), 'the rule looks at the tenant alone')
    t.equal(await key(frees, auth('ann', 1, 'some')), await key(frees, auth('bob', 2, 'some')))
    t.equal(await key(ask('frees', { arguments: { limit: 2 } })), await key(ask('frees', { arguments: { limit: 2 } })))
  })

  await t.test('callers who see other rows have other keys', async (t) => {
    const all = await Promise.all([
      key(frees),
      key(notes),
      key(frees, auth('ann', 1, 'some')),
      key(frees, auth('ann', 1, 'set')),
      key(frees, auth('bob', 1, 'set')),
      key(notes, auth('ann', 1)),
      key(notes, auth('ann', 2)),
      key(notes, auth('ann', '1')),
      key(notes, auth('ann', [1])),
      key(tagged, { ...auth('ann', 1), context: { colour: 'red' } }),
      key(tagged, { ...auth('ann', 1), context: { colour: 'blue' } }),
      key(tagged, auth('ann', 1)),
      key(ask('frees', { arguments: { limit: 1 } })),
      key(ask('frees', { arguments: { limit: 2 } })),
      key(ask('frees', { arguments: { where: { id: { _eq: '1' } } } })),
    ])
    t.equal(new Set(all).size, all.length)
    t.notOk(all.includes(null))
  })

  await t.test('an answer that must not be kept has no key', async (t) => {
    t.equal(await key({ ...frees, form: 'rows' }), null)
    t.equal(await key({ ...frees, template: { ...frees.template, kind: 'mutation' } }), null)
    t.equal(await key(frees, auth('ann', 1, 'some')).then((one) => one?.includes('ann')), false)
    t.equal(await key(notes, auth('ann', new Date())), null, 'what no text shows')
    t.equal(await key(ask('frees', { arguments: { where: { id: { _eq: 'x'.repeat(9000) } } } })), null)
  })
  await tested.close()
})
