import t from 'tap'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

const catalog = fakeCatalog(
  {
    v_user: { id: 'uuid', pk_user: 'int8', owner: 'text', fk_user: 'int8' },
    v_post: { id: 'uuid', fk_user: 'int8', owner: 'text', __typename: 'text' },
  },
  { fn_save: { parameters: {}, returns: { kind: 'scalar', type: 'uuid' } } },
)
const id = { name: 'id', type: 'ID!' }

/** A schema whose `users` are guarded, and what else there is. */
function faults(
  more: { type?: Loose; query?: Loose; types?: object[]; queries?: object[] } & Loose = {},
): readonly string[] {
  const { type = {}, query = {}, types = [], queries = [], ...rest } = more
  const schema = {
    version: '1',
    types: [{ name: 'User', sql_source: 'v_user', fields: [id], ...at(3), ...type }, ...types],
    queries: [
      { name: 'users', type: '[User!]!', sql_source: 'v_user', row_filter: 'owner = {me}', ...query },
      ...queries,
    ],
    ...rest,
  }
  return faultsOf(schema as Loose, { catalog }).filter((fault) => fault.includes('open-rows'))
}

const message = (ways: string, queries = 'query "users"') => [
  `3:3 open-rows: Type "User": the rules (inject, row_filter) of its ${queries} hold there only, and its rows are also ` +
    `reached by ${ways}. Give the type rules of its own (inject, row_filter), which hold on every way; or set open: true on it where those may show every row; else take those ways out.`,
]
const post = {
  name: 'Post',
  sql_source: 'v_post',
  fields: [id, { name: 'author', type: 'User', relation: { from: 'fk_user', to: 'pk_user' } }],
}

t.test('rules of queries that hold everywhere', async (t) => {
  t.strictSame(faults(), [], 'nothing else reaches the type')
  t.strictSame(faults({ types: [post], query: { row_filter: undefined } }), [], 'there are no rules')
  const open = { name: 'all_users', type: '[User!]!', sql_source: 'v_user' }
  t.strictSame(faults({ types: [post], queries: [open] }), [], 'one query shows every row anyway')
})

// proves: error.open-rows
t.test('each way around them is named', async (t) => {
  t.strictSame(faults({ types: [post] }), message('the field Post.author'))
  t.strictSame(
    faults({ types: [post], query: { row_filter: undefined, inject: { owner: 'jwt:sub' } } }),
    message('the field Post.author'),
  )
  t.strictSame(faults({ type: { relay: true } }), message('node'))
  const save = { name: 'save', type: 'User', sql_source: 'fn_save' }
  t.strictSame(faults({ mutations: [save] }), message('the result of the mutation "save"'))
  const unions = [{ name: 'Anything', members: ['User'], sql_source: 'v_post' }]
  const any = { name: 'any', type: '[Anything!]!', sql_source: 'v_post' }
  t.strictSame(faults({ unions, queries: [any] }), message('the query "any" (Anything)'))
  t.strictSame(faults({ unions, queries: [{ ...any, row_filter: 'owner = {me}' }] }), [], 'which has a rule itself')
  const one = { name: 'user', type: 'User', sql_source: 'v_user', arguments: [id], inject: { owner: 'jwt:sub' } }
  t.strictSame(
    faults({ type: { relay: true }, types: [post], queries: [one], mutations: [save] }),
    message('the field Post.author, the result of the mutation "save", node', 'queries "users", "user"'),
  )
})

t.test('the type may say that it is open', async (t) => {
  t.strictSame(faults({ type: { relay: true, open: true }, types: [post] }), [])
  t.strictSame(faults({ type: { relay: true, open: false } }), message('node'))
})

t.test('a type with rules of its own is guarded on every way', async (t) => {
  for (const rules of [{ row_filter: 'owner = {me}' }, { inject: { owner: 'jwt:sub' } }]) {
    t.strictSame(faults({ types: [post], type: { relay: true, ...rules } }), [])
  }
  t.strictSame(faults({ types: [post], type: { inject: {} } }), message('the field Post.author'), 'none is no rule')
})
