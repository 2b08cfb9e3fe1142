import t from 'tap'
import { at, faultsOf, warningsOf } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

const user = {
  name: 'User',
  sql_source: 'v_user',
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'name', type: 'String' },
  ],
}
const relay = { ...user, relay: true }
const args = (...names: string[]) => names.map((name) => ({ name, type: 'String' }))

// proves: error.access
t.test('access options that contradict public', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [user],
    queries: [
      { name: 'a', type: 'User', public: true, requires_role: 'admin', ...at(1) },
      { name: 'b', type: 'User', public: true, requires_scope: 'x', ...at(2) },
      { name: 'c', type: 'User', public: true, authenticated: true, ...at(3) },
      { name: 'd', type: 'User', public: true, api_key_required: true, ...at(4) },
      { name: 'e', type: 'User', public: true, inject: { name: 'jwt:sub' }, ...at(5) },
      { name: 'f', type: 'User', public: false, requires_role: ['admin', 'root'], ...at(6) },
    ],
  })
  t.strictSame(faults, [
    '1:3 access: Query "a" is public and has requires_role, which requires a credential. Drop one of them.',
    '2:3 access: Query "b" is public and has requires_scope, which requires a credential. Drop one of them.',
    '3:3 access: Query "c" is public and has authenticated, which requires a credential. Drop one of them.',
    '4:3 access: Query "d" is public and has api_key_required, which requires a credential. Drop one of them.',
    '5:3 access: Query "e" is public and has inject, which requires a credential. Drop one of them.',
  ])
})

// proves: error.inject
t.test('injected arguments', async (t) => {
  const faults = faultsOf(
    {
      version: '1',
      types: [user],
      queries: [
        { name: 'a', type: 'User', inject: { 'owner-id': 'jwt:sub' }, ...at(1) },
        { name: 'b', type: 'User', inject: { name: 'header:x' }, ...at(2) },
        { name: 'c', type: 'User', inject: { name: 'jwt:' }, ...at(3) },
        { name: 'd', type: 'User', inject: { name: 'jwt:sub' }, arguments: args('name'), ...at(4) },
        { name: 'e', type: 'User', inject: { nam: 'jwt:https://example.com/claims#tenant' }, ...at(5) },
        { name: 'ok', type: 'User', inject: { name: 'jwt:https://example.com/claims#tenant' }, ...at(6) },
      ],
      mutations: [{ name: 'save', type: 'User', inject: { user_id: 'sub' }, arguments: args('userId'), ...at(7) }],
    },
    {
      catalog: fakeCatalog(
        { v_user: { id: 'uuid', name: 'text' } },
        { fn_save: { parameters: { user_id: 'text', p_user: 'text?' } } },
      ),
    },
  )
  t.strictSame(
    faults.filter((fault) => !/function-arguments|open-rows/.test(fault)),
    [
      '1:3 inject: Query "a": inject: "owner-id" is no parameter name: letters, digits and _ only.',
      '1:3 inject: Query "a": inject: v_user has no column "owner-id" to compare the claim with. It has: id, name.',
      '2:3 inject: Query "b": inject "name": "header:x" has no known source. Write it as "jwt:<claim>", for example "jwt:sub".',
      '3:3 inject: Query "c": inject "name": the claim is missing. Write it as "jwt:<claim>", for example "jwt:sub".',
      '4:3 inject: Query "d": "name" is injected and is an argument too; clients could not tell. Drop the argument.',
      '5:3 inject: Query "e": inject: v_user has no column "nam" to compare the claim with. Did you mean "name"?',
      '7:3 inject: Mutation "save": inject "user_id": "sub" has no known source. Write it as "jwt:<claim>", for example "jwt:sub".',
      '7:3 inject: Mutation "save": "user_id" is injected and is an argument too; clients could not tell. Drop the argument.',
    ],
  )
})

// proves: error.row-filter error.id-arg
t.test('row filters and id_arg', async (t) => {
  const filters = [
    "tenant = '{tenant}'",
    "name = 'x",
    'true; drop table x',
    'a = 1 -- b',
    'a = $1',
    'a = {tenant id}',
    'a = {tenant',
    '(a = {tenant}',
    'a) or (true',
  ]
  const good = [
    "(tenant_id = {tenant.id} and name <> 'it''s (fine)') or \"Owner\" = {user_id}",
    "tags && ARRAY['a','b']",
  ]
  const faults = faultsOf({
    version: '1',
    types: [user],
    queries: [
      ...[...filters, ...good].map((row_filter, i) => ({ name: `q${i}`, type: 'User', row_filter, ...at(i + 1) })),
      { name: 'z', type: 'User', arguments: args('slug'), id_arg: 'slg', ...at(20) },
    ],
  })
  const comments = 'it is one condition, without ";", comments or "$1". Values from the request are {name}.'
  t.strictSame(faults, [
    `1:3 row-filter: Query "q0": row_filter: a placeholder stands inside the quotes of '{tenant}'. Write it bare: it is bound as a value. (An array literal is ARRAY['…'].)`,
    '2:3 row-filter: Query "q1": row_filter: a quote is not closed.',
    `3:3 row-filter: Query "q2": row_filter: ${comments}`,
    `4:3 row-filter: Query "q3": row_filter: ${comments}`,
    `5:3 row-filter: Query "q4": row_filter: ${comments}`,
    '6:3 row-filter: Query "q5": row_filter: "{tenant id}" is no placeholder. Write a name: {tenant_id}.',
    '7:3 row-filter: Query "q6": row_filter: a brace is not closed.',
    '8:3 row-filter: Query "q7": row_filter: its parentheses do not match.',
    '9:3 row-filter: Query "q8": row_filter: its parentheses do not match.',
    '20:3 id-arg: Query "z": id_arg "slg" is none of its arguments. Did you mean "slug"?',
  ])
})

// proves: error.relay error.auto-params error.argument-clash
t.test('relay, automatic parameters and their names', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [
      { ...relay, ...at(1) },
      { name: 'Post', fields: [{ name: 'id', type: 'UUID!' }], sql_source: 'v_post', relay: true, ...at(2) },
      { name: 'Part', fields: [{ name: 'id', type: 'ID!' }], embedded: true, relay: true, ...at(3) },
      { name: 'Tag', fields: [{ name: 'name', type: 'String' }], sql_source: 'v_tag', ...at(4) },
    ],
    queries: [
      { name: 'a', type: 'User', relay: true, ...at(11) },
      { name: 'b', type: '[Tag!]!', relay: true, ...at(12) },
      { name: 'c', type: 'User', auto_params: true, ...at(13) },
      { name: 'd', type: 'User', auto_params: { where: false, total_count: true }, ...at(14) },
      { name: 'e', type: '[User!]!', arguments: args('limit', 'order_by'), ...at(15) },
      { name: 'f', type: '[User!]!', relay: true, arguments: args('after', 'limit'), sql_source: 'v_user', ...at(16) },
      { name: 'g', type: '[User!]!', auto_params: { limit: false }, arguments: args('limit'), ...at(17) },
      { name: 'h', type: 'User', auto_params: false, ...at(18) },
    ],
  })
  t.strictSame(faults, [
    '2:3 relay: Type "Post" is relay and has no field "id: ID!", which Node needs.',
    '3:3 relay: Type "Part" is relay and has no view or table to page. Set sql_source.',
    '11:3 relay: Query "a" is relay and returns User. A connection is a list: write [User!]!.',
    '12:3 relay: Query "b" is relay, and Tag is not. Set relay: true on the type Tag.',
    '13:3 auto-params: Query "c" returns User, one object; automatic parameters belong to lists. Drop auto_params.',
    '14:3 auto-params: Query "d" returns User, one object; automatic parameters belong to lists. Drop auto_params.',
    '15:3 argument-clash: Query "e": the argument "limit" is generated for lists. Rename it, or switch the generated one off in auto_params.',
    '15:3 argument-clash: Query "e": the argument "order_by" is generated for lists. Rename it, or switch the generated one off in auto_params.',
    '16:3 argument-clash: Query "f": the argument "after" is generated for lists. Rename it, or switch the generated one off in auto_params.',
  ])
})

// proves: error.relay compile.relay-key
t.test('relay needs pk_{entity} in every source that is paged', async (t) => {
  const faults = faultsOf(
    {
      version: '1',
      types: [
        { ...relay, ...at(1) },
        { ...relay, name: 'OrderItem', sql_source: 'v_order_item', ...at(2) },
        { name: 'Doc', sql_source: 'v_doc', relay: true, fields: [{ name: 'id', type: 'ID!' }], ...at(3) },
        {
          name: 'Own',
          sql_source: 'v_doc',
          relay: true,
          fields: [
            { name: 'id', type: 'ID!' },
            { name: 'pk_own', type: 'Int!' },
          ],
          ...at(4),
        },
      ],
      queries: [{ name: 'active', type: '[User!]!', relay: true, sql_source: 'v_active_user', ...at(10) }],
    },
    {
      catalog: fakeCatalog({
        v_user: { id: 'uuid', pk_user: 'int8', name: 'text' },
        v_active_user: { id: 'uuid', name: 'text' },
        v_order_item: { id: 'uuid', pk_order: 'int8', name: 'text' },
        v_doc: { id: 'uuid', data: 'jsonb' },
      }),
    },
  )
  t.strictSame(faults, [
    '2:3 relay: Type "OrderItem" is relay: v_order_item needs the column "pk_order_item" for its cursors. Add it to the view, or name the columns that identify a row with "key".',
    '3:3 relay: Type "Doc" is relay: v_doc needs the column "pk_doc" for its cursors. Add it to the view, or name the columns that identify a row with "key".',
    '10:3 relay: Query "active" is relay: v_active_user needs the column "pk_user" for its cursors. Add it to the view.',
  ])
})

// proves: error.rest
t.test('REST routes', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [user],
    queries: [
      { name: 'a', type: 'User', rest_path: 'users', ...at(1) },
      { name: 'b', type: 'User', rest_path: '/users/{idd}', arguments: args('id'), ...at(2) },
      { name: 'c', type: 'User', rest_path: '/a/{id', arguments: args('id'), ...at(3) },
      { name: 'd', type: 'User', rest_path: '/x/{user_id}', arguments: args('user_id'), ...at(4) },
      { name: 'e', type: 'User', rest_path: '/x/{otherId}', arguments: args('other_id'), rest_method: 'get', ...at(5) },
    ],
    mutations: [
      { name: 'f', type: 'User', rest_path: '/x/{id}', arguments: args('id'), operation: 'UPDATE', ...at(6) },
      { name: 'g', type: 'User', rest_path: '/x/{id}', arguments: args('id'), rest_method: 'PATCH', ...at(7) },
      { name: 'h', type: 'User', rest_path: '/y', operation: 'CREATE', ...at(8) },
      { name: 'i', type: 'User', rest_path: '/y', ...at(9) },
    ],
  })
  t.strictSame(faults, [
    '1:3 rest: Query "a": rest_path "users" is no path. It starts with / and has no spaces, ? or #.',
    '2:3 rest: Query "b": rest_path has {idd}, which is none of its arguments. Did you mean "id"?',
    '3:3 rest: Query "c": rest_path "/a/{id" has a brace that is not closed.',
    '5:3 rest: Query "e": GET /x/{otherId} is the route of Query "d" already. Give one of them another rest_path or rest_method.',
    '7:3 rest: Mutation "g": PATCH /x/{id} is the route of Mutation "f" already. Give one of them another rest_path or rest_method.',
    '9:3 rest: Mutation "i": POST /y is the route of Mutation "h" already. Give one of them another rest_path or rest_method.',
  ])
})

// proves: error.unknown-entity
t.test('subscriptions and observers watch what exists', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [user],
    mutations: [{ name: 'save_user', type: 'User' }],
    subscriptions: [{ name: 'saved', type: 'User!', entity_type: 'Usr', ...at(1) }],
    observers: [
      { name: 'a', entity: 'Users', event: 'INSRT', actions: [{ type: 'webhook' }], ...at(2) },
      { name: 'b', entity: 'User', event: 'save_user', actions: [{ type: 'webhook' }], ...at(3) },
      { name: 'c', entity: 'User', event: 'UPDATE', actions: [{ type: 'webhook' }], ...at(4) },
    ],
  })
  t.strictSame(faults, [
    '1:3 unknown-entity: Subscription "saved": entity_type "Usr" is no type. Did you mean "User"?',
    '2:3 unknown-entity: Observer "a": entity "Users" is no type. Did you mean "User"?',
    '2:3 unknown-entity: Observer "a": event "INSRT" is neither INSERT, UPDATE, DELETE nor a mutation. Did you mean "INSERT"?',
  ])
})

// proves: warning.no-queries warning.unused-default warning.no-fields warning.unbounded-list warning.unordered-limit
t.test('warnings', async (t) => {
  const schema = {
    version: '1',
    types: [
      { ...relay, fields: [...user.fields, { name: 'age', type: 'Int', default: 3, ...at(7) }] },
      { name: 'Empty', fields: [], ...at(1) },
    ],
    queries: [
      { name: 'a', type: '[User!]!', auto_params: { limit: false }, ...at(2) },
      { name: 'b', type: '[User!]!', auto_params: { order_by: false }, ...at(3) },
      { name: 'c', type: '[User!]!', relay: true, auto_params: { limit: false }, ...at(4) },
      { name: 'd', type: '[User!]!', auto_params: false, ...at(5) },
      { name: 'e', type: '[User!]!', ...at(6) },
    ],
  }
  t.strictSame(faultsOf(schema), [])
  t.strictSame(warningsOf(schema), [
    '1:3 no-fields: Type "Empty" has no fields. GraphQL clients refuse a schema with such a type: give it one, or take it out.',
    '2:3 unbounded-list: Query "a" has limit = false: it reads every row (unbounded scan).',
    '3:3 unordered-limit: Query "b" has limit = true and order_by = false: its pages come in no fixed order (non-deterministic pagination).',
    '5:3 unbounded-list: Query "d" has limit = false: it reads every row (unbounded scan).',
    '7:3 unused-default: User.age has a default, and what is read is never filled in. Put the default into the input, or coalesce in the view.',
  ])
  t.match(warningsOf(schema, { queryDefaults: { limit: false } }).join('\n'), /Query "e" has limit = false/)
  const bare = { version: '1', types: [{ ...user, relay: undefined }] }
  t.strictSame(warningsOf(bare), [
    '- no-queries: The schema has no query, and no GraphQL client can introspect a schema without one. Declare one over any view.',
  ])
  t.strictSame(warningsOf({ ...bare, types: [relay] }), [], 'node is a query')
  t.strictSame(warningsOf({ ...bare, types: [{ ...user, key_fields: ['id'] }] }), [], 'and so is _entities')
})
