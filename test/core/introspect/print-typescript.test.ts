import { readFileSync } from 'node:fs'
import t from 'tap'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import type { AuthoredField, AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'
import { loadPrinted, withoutPlaces } from './load-printed.ts'

const id: AuthoredField = { name: 'id', type: 'ID!' }
const EMPTY: AuthoredSchema = { version: '2.0.0', types: [], queries: [], mutations: [] }

/** Every option of every element once. */
const EVERYTHING: AuthoredSchema = {
  version: '2.0.0',
  types: [
    {
      name: 'Post',
      description: 'It\'s a "post"\nof two lines, `$\u007bx}` \u2028 \\',
      sql_source: 'v_post',
      jsonb_column: 'doc',
      key: ['a', 'b'],
      implements: ['Named'],
      relay: true,
      database: 'crm',
      dataplane: 'graphql',
      requires_role: ['admin', 'owner'],
      key_fields: ['id'],
      keys: ['id', 'name'],
      resolvable: false,
      inaccessible: true,
      tags: ['x'],
      extends: true,
      shareable: true,
      interface_object: true,
      directives: ['@owner(team: "x")'],
      inject: { tenant_id: 'jwt:tenant' },
      row_filter: 'owner = {owner}',
      open: true,
      aggregate: { group_by: ['name'], count_distinct: [], sum: ['size'], avg: [], min: [], max: [] },
      fields: [
        id,
        { name: 'name', type: 'String!', description: 'a', deprecated: 'b', requires_scope: 'c', requires_role: 'd' },
        { name: 'size', type: 'Int', default: { a: [1, null, "it's"] }, on_deny: 'reject', filterable: false },
        {
          name: 'slug',
          type: 'String',
          orderable: false,
          searchable: true,
          filter_type: 'X',
          filter_operators: ['_eq'],
        },
        { name: 'path', type: 'LTree', hierarchy: 'tree', column: 'PATH' },
        { name: 'vector', type: 'Vector', vector_config: { dimensions: 3, distance_metric: 'inner_product' } },
        { name: 'author', type: 'Author!', relation: { from: ['a', 'b'], to: ['c', 'd'] }, authorize: 'p' },
        { name: 'lists', type: '[[Int]!]', computed: true },
        { name: 'posts', type: '[Post!]!', relation: { from: 'a', to: 'b' } },
        { name: 'mood', type: 'Mood!' },
        { name: 'price', type: 'Price' },
        { name: 'hit', type: 'Hit' },
        { name: 'external', type: 'Int', external: true, shareable: true, inaccessible: true, tags: ['t'] },
        {
          name: 'weight',
          type: 'Int',
          override: 'a',
          override_label: 'percent(1)',
          provides: 'x',
          requires: 'y',
          sql: 'z',
        },
        { name: 'static', type: 'JSON', label: 'of a plugin' } as AuthoredField,
      ],
      label: 'of a plugin',
    } as AuthoredType,
    { name: 'Author', embedded: true, is_error: true, aggregate: true, fields: [id, { name: 'best', type: 'Post!' }] },
    // Names that JavaScript or the printed code uses itself.
    {
      name: 'Object',
      sql_source: 'o',
      fields: [id, { name: 'constructor', type: 'Object' }, { name: 'mood', type: 'Mood' }],
    },
    { name: 'Symbol', fields: [id, { name: 'objects', type: '[Object!]!' }] },
    { name: 'Api', fields: [id] },
    { name: 'list', fields: [id, { name: 'lists', type: '[list!]!' }] },
    { name: 'Email', fields: [] },
    {
      name: 'Event',
      fields: ['get', 'set', 'async', 'accessor', 'declare', 'readonly', 'delete', 'prototype'].map((name) => ({
        name,
        type: 'Email',
      })),
    },
  ],
  enums: [
    { name: 'Mood', values: [{ name: 'HAPPY', value: 'happy' }, { name: 'SAD' }, { name: 'EMPTY', value: '' }] },
    {
      name: 'Level',
      description: 'd',
      values: [
        { name: 'A', value: 'A' },
        { name: 'B', description: 'x', deprecated: 'y' },
        { name: 'C', value: 'c', description: 'x' },
      ],
    },
  ],
  interfaces: [
    {
      name: 'Named',
      description: 'n',
      sql_source: 'v_named',
      type_column: 'kind',
      aggregate: { sum: [] },
      tags: ['x'],
      fields: [id],
    },
  ],
  unions: [{ name: 'Hit', description: 'u', members: ['Post', 'Author'], sql_source: 'v_hit', type_column: 'kind' }],
  input_types: [
    {
      name: 'CreatePost',
      description: 'i',
      validate: [{ one_of: ['a', 'b'] }, { conditional_required: { if_field_present: 'a', then_required: ['b'] } }],
      fields: [
        {
          name: 'a',
          type: 'String',
          validate: { pattern: '^a', min_length: 1, message: 'm' },
          default: 'x',
          deprecated: 'y',
        },
        { name: 'b', type: 'Other', validate: ['required', { any: [{ length: { min: 1 } }, { checksum: 'luhn' }] }] },
        { name: 'c', type: 'Int', validate: { cross_field: { field: 'd', operator: 'lt' } } },
        {
          name: 'd',
          type: 'Int',
          validate: { conditional: { condition: 'c > 1', then_rules: [{ range: { max: 3 } }] } },
        },
        { name: 'e', type: 'Int', validate: { required_if_absent: { absent_field: 'c', then_required: ['d'] } } },
      ],
    },
    { name: 'Other', fields: [{ name: 'mood', type: 'Mood!' }] },
  ],
  custom_scalars: [
    {
      name: 'Price',
      description: 's',
      specified_by_url: 'https://a.b',
      base_type: 'Decimal',
      elo_expression: 'value > 0',
    },
    { name: 'Slug', validation_rules: { pattern: { pattern: '^a', message: 'm' } } },
  ],
  queries: [
    {
      name: 'posts',
      type: '[Post!]!',
      description: 'q',
      deprecated: 'r',
      arguments: [
        { name: 'a', type: 'Int' },
        { name: 'b', type: 'Mood!', description: 'd', deprecated: 'e', default: null, validate: 'required' },
        { name: 'c', type: 'String', full_text: { column: 'w', query: 'plain', config: 'english', rank: true } },
        { name: 'd', type: 'String', full_text: 'words' },
      ],
      validate: { any_of: ['a', 'b'] },
      sql_source: 'v_post',
      inject: { tenant: 'jwt:tenant' },
      requires_role: 'r',
      requires_scope: 's',
      requires_policy: 'p',
      authenticated: true,
      api_key_required: false,
      rest_path: '/x/{a}',
      rest_method: 'GET',
      database: 'crm',
      auto_params: { order_by: false, total_count: true, where: true, limit: true, offset: false },
      relay: false,
      jsonb_column: 'j',
      type_column: 't',
      cache_ttl: 3,
      cache: false,
      additional_views: ['v'],
      id_arg: 'a',
      row_filter: 'x',
      aggregate: false,
    },
    { name: 'post', type: 'Post', public: true, auto_params: false, arguments: [] },
    {
      name: 'sales',
      type: '[Post!]!',
      dataplane: 'arrow',
      jsonb_column: 'j',
      row_filter: 'x',
      auto_params: { limit: false },
    },
  ],
  mutations: [
    {
      name: 'createPost',
      type: 'Post!',
      arguments: [{ name: 'input', type: 'CreatePost!' }],
      operation: 'CREATE',
      input_style: 'jsonb',
      call: 'positional',
      invalidates: ['v'],
      cache_update: true,
      cascade: true,
      upsert_function: 'f',
      label: 'of a plugin',
    } as never,
  ],
  subscriptions: [
    {
      name: 'changed',
      type: 'Post!',
      entity_type: 'Post',
      topic: 't',
      operation: ['INSERT'],
      durable: true,
      replay: true,
    },
    {
      name: 'paid',
      type: 'Post!',
      filter: {
        conditions: [
          { path: 'a', operator: 'eq', value: 1 },
          { argument: 'x', path: 'y' },
        ],
      },
    },
  ],
  observers: [
    {
      name: 'big',
      entity: 'Post',
      event: 'UPDATE',
      condition: 'x > 1',
      actions: [{ type: 'webhook', url: 'https://a.b', headers: { A: 'b' }, body_template: '{}' }],
      retry: { max_attempts: 1, backoff_strategy: 'fixed', initial_delay_ms: 2, max_delay_ms: 3 },
      sync: true,
    },
  ],
  query_defaults: { limit: false },
  hierarchies: [{ name: 'tree', type: 'Post', path: 'path', id: 'id' }],
  tenants: { a: 1 },
} as AuthoredSchema

t.test('a printed schema loads as the same schema', async (t) => {
  for (const split of [false, true]) {
    const files = printTypeScript(EVERYTHING, { split })
    t.same(await loadPrinted(files), EVERYTHING, split ? 'of several files' : 'of one file')
    t.equal(files.length > 1, split)
  }
})

t.test('the schemas of the repository are printed', async (t) => {
  for (const path of ['examples/chinook/schema.json', 'test/golden/init/schema.json', 'bench/real/schema.json']) {
    const schema = withoutPlaces(JSON.parse(readFileSync(path, 'utf8')) as AuthoredSchema)
    const { $schema: _, modules = [], author_functions: functions = [], ...rest } = schema
    t.same([modules, functions], [[], []], path)
    for (const split of [false, true]) {
      const loaded = await loadPrinted(printTypeScript(schema, { split }))
      t.same(loaded, { mutations: [], ...rest, version: '2.0.0' }, path)
    }
  }
})

t.test('many types are printed in several files, in the same order', async (t) => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const names = letters.flatMap((letter) => [`${letter}a`, `${letter}b`, `${letter}c`])
  const types = names.map((name, i): AuthoredType => {
    const other = names[(i * 7 + 5) % names.length]!
    const fields = [id, { name: 'other', type: `${other}!` }, { name: 'others', type: `[${other}!]!` }]
    return { name, sql_source: i < 40 ? name : `sales.${name}`, fields }
  })
  const schema = { ...EMPTY, types, queries: [{ name: 'all', type: '[Zc!]!' }] }
  const files = printTypeScript(schema)
  t.same(
    files.map(({ path }) => path),
    ['schema.ts', 'schema/main-a-h.ts', 'schema/main-i-n.ts', 'schema/sales-n-u.ts', 'schema/sales-v-z.ts'],
  )
  t.same(await loadPrinted(files), schema)
  const few = types.slice(0, 30).map((type) => ({ ...type, fields: [id] }))
  t.same(printTypeScript({ ...EMPTY, types: few }).length, 1, 'thirty types are one file')
  const scattered = { ...schema, types: [...types].sort((a, b) => (a.name.slice(1) < b.name.slice(1) ? -1 : 1)) }
  t.same(await loadPrinted(printTypeScript(scattered)), scattered, 'in any order')
})

t.test('a schema that no module can declare is refused with the element', async (t) => {
  const refused = (schema: object, message: RegExp) =>
    t.throws(() => printTypeScript({ ...EMPTY, ...schema }), { code: 'SVC_USAGE', message })
  refused(
    { author_functions: [{ kind: 'hook', name: 'h', module: 'm', export: 'e' }] },
    /The hook h .*function of the author/,
  )
  refused({ modules: [{ path: './a.ts' }] }, /module of the author, \.\/a\.ts/)
  refused({ custom_scalars: [{ name: 'S', module: './a.ts', export: 'S' }] }, /The scalar S .*module of the author/)
  refused({ types: [{ name: 'A b', fields: [] }] }, /"A b"/)
  refused(
    { types: [{ name: 'A', fields: [{ name: 'b', type: 'Nowhere' }] }] },
    /The type A, field b, .*no type Nowhere/,
  )
  refused({ types: [{ name: 'A', fields: [{ name: 'b', type: '[Int' }] }] }, /"\[Int" is no type/)
  refused(
    {
      types: [
        { name: 'A', fields: [] },
        { name: 'A', fields: [] },
      ],
    },
    /two elements/,
  )
  refused({ enums: [{ name: 'E', values: [] }] }, /The enum E .*no values/)
  refused(
    { input_types: [{ name: 'I', fields: [], validate: { type: 'required', value: 1 } }] },
    /The input I .*"type" is no/,
  )
})
