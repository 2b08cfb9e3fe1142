import t from 'tap'
import {
  authorFunction,
  collectSchema,
  field,
  ID,
  input,
  list,
  mutation,
  query,
  ref,
  schemaKeys,
  type,
} from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'

const collect = (declare: () => void) =>
  withFreshRegistry(async () => {
    declare()
    return JSON.parse(JSON.stringify(collectSchema(), (key, value) => (key === '$place' ? undefined : value)))
  })

t.test('extra and schemaKeys give keys of plugins through', async (t) => {
  const schema = await collect(() => {
    schemaKeys({ tenants: { by: 'sub' } })
    type('Book', { relay: true, extra: { shelf: 3 }, fields: { id: field(ID, { extra: { mark: true } }) } })
    input('Want', { fields: { id: field(ID, { extra: { mark: 1 } }) } })
    query('books', list(ref('Book')), { extra: { ttl: 'x' } })
    mutation('add', ID, { extra: { audited: null } })
  })
  t.match(schema, {
    tenants: { by: 'sub' },
    types: [{ name: 'Book', relay: true, shelf: 3, fields: [{ name: /^id$/, type: 'ID!', mark: true }] }],
    input_types: [{ fields: [{ mark: 1 }] }],
    queries: [{ ttl: /^x$/ }],
    mutations: [{ audited: null }],
  })
})

t.test('an option of core is not a key of a plugin', async (t) => {
  const wrong: readonly (readonly [() => void, RegExp])[] = [
    [
      () => type('A', { extra: { sql_source: 'x' }, fields: { id: ID } }),
      /"sql_source" in `extra` of type "A" .* option "sqlSource"/,
    ],
    [() => type('A', { extra: { name: 'x' }, fields: { id: ID } }), /"name" in `extra`/],
    [
      () => type('A', { extra: [] as never, fields: { id: ID } }),
      /option "extra" of type "A" wants an object that JSON can say/,
    ],
    [() => type('A', { extra: { a: () => 1 }, fields: { id: ID } }), /wants an object that JSON can say/],
    [() => schemaKeys(7 as never), /schemaKeys\(\) wants an object/],
    [
      () => {
        schemaKeys({ a: 1 })
        schemaKeys({ a: 2 })
      },
      /schemaKeys\(\) gives "a" a second time/,
    ],
    [() => authorFunction('hook', 'x', 7 as never), /hook "x" wants a function, got number/],
    [() => authorFunction('hook', 'x', null as never), /got null/],
    [() => authorFunction('hook', 'not a name', () => 1), /"not a name" is not a name/],
  ]
  for (const [declare, message] of wrong) await t.rejects(collect(declare), { code: 'SVC_SCHEMA_INVALID', message })
})

t.test('a function of the author is itself, and of its own kind', async (t) => {
  const fn = (value: number) => value % 2 === 0
  let same: unknown
  const schema = await collect(() => {
    same = authorFunction('validator', 'even', fn)
    authorFunction('hook', 'even', () => 1)
    query('even', ID)
  })
  t.equal(same, fn)
  t.match(schema.author_functions, [
    { kind: 'validator', name: 'even' },
    { kind: 'hook', name: 'even' },
  ])
})
