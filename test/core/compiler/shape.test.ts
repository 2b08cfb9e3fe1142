import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf } from '../../helpers/compile-faults.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'

const id = { name: 'id', type: 'ID!' }
const user = { name: 'User', fields: [id] }

function artifact(schema: object) {
  return compileArtifact(schema as AuthoredSchema, null)
}

// proves: error.shape
t.test('an unknown key names the nearest one, and the rest is checked all the same', async (t) => {
  const faults = faultsOf({
    version: '1',
    tpyes: [],
    security: {},
    types: [
      {
        name: 'User',
        sqlSource: 'v_user',
        fields: [
          { ...id, requires_scop: 'x', ...at(2, 5) },
          { name: 'x', type: 'Strng', ...at(3, 5) },
        ],
        ...at(1),
      },
    ],
    queries: [
      { name: 'a', type: 'User', sql_sorce: 'v', ...at(10) },
      { name: 'b', type: '[User!]', auto_params: { limt: false }, ...at(11) },
      { name: 'c', type: 'User', arguments: [{ name: 'id', type: 'ID', defualt: 1 }], ...at(12) },
      { name: 'd', type: 'User', zzz: 1, ...at(13) },
    ],
    enums: [{ name: 'Mood', values: [{ name: 'GOOD', valeu: 'x' }], ...at(20) }],
  })
  // What could be thought to be an option says why it is none.
  const numbers = faultsOf({
    version: '1',
    types: [
      {
        name: 'User',
        fields: [id, { name: 'near', type: 'Vector', vector_config: { index_type: 'hnsw', dimensions: 3 } }],
        ...at(29),
      },
    ],
    unions: [{ name: 'Any', members: ['User'], aggregate: true, ...at(30) }],
  })
  t.match(numbers, [
    /^29:3 shape: Type "User", field "near": vector_config: unknown key "index_type". svc makes no indexes. Make it in SQL: CREATE INDEX/,
    /^30:3 shape: Union "Any": unknown key "aggregate". The types of a union have no fields in common .*total_count .* interface/,
  ])
  t.strictSame(faults.slice(0, 6), [
    '1:3 shape: Type "User": unknown key "sqlSource". Did you mean "sql_source"?',
    '2:5 shape: Type "User", field "id": unknown key "requires_scop". Did you mean "requires_scope"?',
    '3:5 unknown-type: User.x: there is no type "Strng". Did you mean "String"?',
    '10:3 shape: Query "a": unknown key "sql_sorce". Did you mean "sql_source"?',
    '11:3 shape: Query "b": auto_params: unknown key "limt". Did you mean "limit"?',
    '12:3 shape: Query "c", argument "id": unknown key "defualt". Did you mean "default"?',
  ])
  t.match(faults[6], /^13:3 shape: Query "d": unknown key "zzz"\. Keys: auto_params, .*rest_path/)
  t.strictSame(faults.slice(7), [
    '20:3 shape: Enum "Mood", value "GOOD": unknown key "valeu". Did you mean "value"?',
    '- shape: The schema: unknown key "tpyes". Did you mean "types"?',
    '- shape: The schema: unknown key "security". Configuration belongs in svc.toml.',
  ])
})

t.test('a value of the wrong form stops at the form', async (t) => {
  const faults = faultsOf({
    version: 2,
    types: [
      { name: 'User', fields: [{ type: 'ID', ...at(2, 5) }, 'id'], ...at(1) },
      { name: 'Post', fields: {}, ...at(3) },
    ],
    mutations: [
      { name: 'a', type: 'User', operation: 'UPSERT', ...at(10) },
      { name: 'b', type: 'User', operation: 'CRATE', ...at(11) },
      { name: 'c', type: 'User', rest_method: 'FETCH', ...at(12) },
    ],
    queries: [
      { name: 'd', type: 'User', auto_params: 'all', ...at(13) },
      { name: 'e', type: 'User', cache_ttl: -1, ...at(14) },
      { name: 'f', type: 'User', inject: { a: 5 }, ...at(15) },
      { name: 'g', type: 'User', requires_role: [], ...at(16) },
      { name: 'h', ...at(17) },
    ],
    subscriptions: [{ name: 'i', type: 'User', operation: ['INSERT', 'TRUNCATE'], ...at(18) }],
    unions: [{ name: 'U', members: [], ...at(19) }],
  })
  t.strictSame(faults, [
    '1:3 shape: Type "User": "fields[1]" is "id", which is no object.',
    '2:5 shape: Type "User", field 1: "name" is missing.',
    '3:3 shape: Type "Post": "fields" is {}, which is no array.',
    '10:3 shape: Mutation "a": "operation" is "UPSERT"; it can be CREATE, UPDATE, DELETE, CUSTOM.',
    '11:3 shape: Mutation "b": "operation" is "CRATE"; it can be CREATE, UPDATE, DELETE, CUSTOM. Did you mean "CREATE"?',
    '12:3 shape: Mutation "c": "rest_method" is "FETCH"; it can be GET, POST, PUT, PATCH, DELETE. Did you mean "PATCH"?',
    '13:3 shape: Query "d": "auto_params" is "all". It can be: boolean or object.',
    '14:3 shape: Query "e": "cache_ttl" is -1; it is 0 at least.',
    '15:3 shape: Query "f": "a" is 5, which is no string.',
    '16:3 shape: Query "g": "requires_role" is []. It can be: string or array.',
    '17:3 shape: Query "h": "type" is missing.',
    '18:3 shape: Subscription "i": "operation" is ["INSERT","TRUNCATE"]. It can be INSERT, UPDATE, DELETE or a list of them.',
    '19:3 shape: Union "U": "members" is empty. Give it something, or leave it out.',
    '- shape: The schema: "version" is 2, which is no string.',
  ])
  t.strictSame(faultsOf([] as never), [
    '- shape: The schema is not a JSON object with "types", "queries" and "mutations".',
  ])
})

t.test('older spellings become those of today', async (t) => {
  const old = {
    version: '1',
    naming_convention: 'camelCase',
    types: {
      User: {
        fields: [
          { ...id, description: null },
          { name: 'tags', type: 'String', list: true, nullable: false },
          { name: 'meta', type: 'Json', deprecated: { reason: 'old' } },
          { name: 'mail', type: 'String', sql_column: 'email', default_value: 'x' },
        ],
      },
    },
    scalars: [{ name: 'Isbn' }],
    enums: [{ name: 'Mood', values: ['GOOD', { name: 'BAD', deprecation_reason: 'old' }] }],
    unions: [{ name: 'U', types: ['User'] }],
    queries: [
      {
        name: 'users',
        return_type: 'User',
        returns_list: true,
        inject_params: { mail: { source: 'jwt', claim: 'sub' } },
        cache_ttl_seconds: 30,
        rest: { path: '/u', method: 'get' },
        arguments: [{ name: 'id', type: 'ID', nullable: false }],
      },
      { name: 'user', return_type: 'User', nullable: true },
    ],
    mutations: [{ name: 'save', type: 'User', fn_name: 'fn_x', operation: 'insert', invalidates_views: ['v_user'] }],
    subscriptions: [{ name: 's', type: 'User', event: ['create', 'DELETE'] }],
  }
  const today = {
    version: '1',
    types: [
      {
        name: 'User',
        fields: [
          id,
          { name: 'tags', type: '[String!]!' },
          { name: 'meta', type: 'JSON', deprecated: 'old' },
          { name: 'mail', type: 'String', column: 'email', default: 'x' },
        ],
      },
    ],
    custom_scalars: [{ name: 'Isbn' }],
    enums: [{ name: 'Mood', values: [{ name: 'GOOD' }, { name: 'BAD', deprecated: 'old' }] }],
    unions: [{ name: 'U', members: ['User'] }],
    queries: [
      {
        name: 'users',
        type: '[User!]!',
        inject: { mail: 'jwt:sub' },
        cache_ttl: 30,
        rest_path: '/u',
        rest_method: 'GET',
        arguments: [{ name: 'id', type: 'ID!' }],
      },
      { name: 'user', type: 'User' },
    ],
    mutations: [{ name: 'save', type: 'User', sql_source: 'fn_x', operation: 'CREATE', invalidates: ['v_user'] }],
    subscriptions: [{ name: 's', type: 'User', operation: ['INSERT', 'DELETE'] }],
  }
  t.equal(artifact(old).content_hash, artifact(today).content_hash)
})

// proves: error.conflicting-keys
t.test('two spellings of one thing, or two that contradict each other', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [
      {
        name: 'User',
        fields: [
          { name: 'a', type: 'String!', nullable: true, ...at(2) },
          { name: 'b', type: '[String]', list: false, ...at(3) },
          { name: 'c', type: 'Int', default: 1, default_value: 2, ...at(4) },
        ],
      },
    ],
    unions: [{ name: 'U', members: ['User'], types: ['User'], ...at(5) }],
    queries: [
      { name: 'd', type: 'User', rest_path: '/a', rest_method: 'GET', rest: { path: '/b', method: 'GET' }, ...at(6) },
      { name: 'e', type: 'User', return_type: 'User', ...at(7) },
      { name: 'f', type: 'User', rest: { path: '/c', verb: 'GET' }, ...at(8) },
    ],
  })
  const both = (line: number, label: string, old: string, today: string) =>
    `${line}:3 conflicting-keys: ${label} has both "${old}" and "${today}", which are one option. Keep "${today}".`
  t.match(faults.at(-1), /^8:3 shape: Query "f": unknown key "rest"\. Keys: /)
  t.strictSame(faults.slice(0, -1), [
    '2:3 conflicting-keys: User.a is "String!" and says nullable: true. Drop the "!" or "nullable".',
    '3:3 conflicting-keys: User.b is "[String]" and says list: false. Keep the notation of "type".',
    both(4, 'User.c', 'default_value', 'default'),
    both(5, 'Union "U"', 'types', 'members'),
    both(6, 'Query "d"', 'rest.path', 'rest_path'),
    both(6, 'Query "d"', 'rest.method', 'rest_method'),
    both(7, 'Query "e"', 'return_type', 'type'),
  ])
})

t.test('nullability is what the notation says', async (t) => {
  const types = artifact({
    version: '1',
    types: [
      {
        name: 'User',
        fields: [
          { name: 'a', type: ' [ String ! ] ! ' },
          { name: 'b', type: 'String' },
          { name: 'c', type: 'String', nullable: false },
        ],
      },
    ],
    queries: [{ name: 'u', type: 'User' }],
  })
  t.strictSame(
    types.types[0]?.fields.map((field) => field.type),
    ['[String!]!', 'String', 'String!'],
  )
  t.equal(types.queries[0]?.type, 'User')
})

t.test('automatic parameters: defaults of the project, of the schema, then of the query', async (t) => {
  const schema = (auto_params: unknown, more: object = {}, query: object = {}) =>
    ({
      version: '1',
      types: [{ ...user, relay: true }],
      queries: [{ name: 'u', type: '[User!]!', ...(auto_params === undefined ? {} : { auto_params }), ...query }],
      ...more,
    }) as unknown as AuthoredSchema
  const params = (authored: AuthoredSchema, queryDefaults?: object) => {
    const found = compileArtifact(authored, null, { queryDefaults }).queries[0]!.auto_params
    return Object.entries(found)
      .filter(([, on]) => on)
      .map(([name]) => name)
      .sort()
      .join(' ')
  }
  t.equal(params(schema(undefined)), 'limit offset order_by where')
  t.equal(params(schema(undefined), { offset: false, where: undefined }), 'limit order_by where')
  t.equal(
    params(schema(undefined, { query_defaults: { offset: true, where: false } }), { offset: false }),
    'limit offset order_by',
  )
  t.equal(params(schema({ where: true }), { where: false, limit: false }), 'offset order_by where')
  t.equal(params(schema(true), { where: false }), 'limit offset order_by where')
  t.equal(params(schema(false)), '')
  t.equal(params(schema({ total_count: true })), 'limit offset order_by total_count where')
  t.equal(params(schema(undefined, {}, { relay: true })), 'order_by where', 'relay pages by cursor')
  t.equal(params(schema(undefined, {}, { type: 'User' })), '', 'one object')
})
