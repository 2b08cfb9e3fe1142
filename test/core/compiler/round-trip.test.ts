import t from 'tap'
import { schemaJsonSchema } from '../../../core/compiler/shape-with-keys.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { at } from '../../helpers/compile-faults.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

/**
 * A schema in which every option of the JSON Schema is set somewhere, to a value that is not its default. The first
 * test holds that it is complete; the second that nothing of it is lost on the way to the model.
 */
const guards = {
  requires_role: 'admin',
  requires_scope: 'read:x',
  requires_policy: 'own',
  authenticated: true,
  api_key_required: true,
}
const call = { description: 'd', deprecated: 'o', rest_method: 'POST', database: 'default', ...guards, ...at(1) }
const rules = { pattern: '^x', min_length: 1, max_length: 9, enum: ['x'], message: 'm' }
const anyOf = (...fields: string[]) => ({ validate: { any_of: fields } })
const words = {
  name: 'words',
  type: 'String',
  full_text: { column: 'words', query: 'phrase', config: 'simple', rank: true },
} as const
const argument = { name: 'some_id', type: 'ID', description: 'd', deprecated: 'o', default: '1', validate: rules }
const SINK = {
  $schema: 'https://example.com/schema.schema.json',
  version: '7',
  query_defaults: { where: true, order_by: true, limit: true, offset: false },
  modules: [{ path: './schema.ts' }],
  hierarchies: [{ name: 'tree', type: 'User', path: 'place', id: 'id', ...at(1) }],
  types: [
    {
      name: 'User',
      description: 'd',
      sql_source: 'v_person',
      jsonb_column: 'doc',
      key: ['id', 'user_name'],
      implements: ['Named'],
      relay: true,
      database: 'default',
      dataplane: 'graphql',
      requires_role: 'admin',
      key_fields: ['id'],
      keys: ['id user_name'],
      resolvable: false,
      extends: true,
      shareable: true,
      inaccessible: true,
      tags: ['one'],
      interface_object: true,
      directives: ['@owner'],
      inject: { owner_id: 'jwt:sub' },
      row_filter: 'is_live',
      open: true,
      aggregate: { group_by: ['id'], count_distinct: ['id'], sum: [], avg: [], min: ['user_name'], max: [] },
      ...at(2),
      fields: [
        { name: 'id', type: 'ID!' },
        {
          name: 'user_name',
          type: 'String',
          description: 'd',
          deprecated: 'o',
          default: 'x',
          requires_scope: 'read:name',
          requires_role: ['a', 'b'],
          on_deny: 'reject',
          filterable: true,
          orderable: false,
          searchable: true,
          filter_type: 'StringFilter',
          filter_operators: ['_eq'],
          authorize: 'own',
          external: false,
          shareable: true,
          inaccessible: true,
          tags: ['two'],
          override: 'users',
          override_label: 'percent(25)',
          provides: 'id',
          ...at(3),
        },
        { name: 'sum', type: 'Int', computed: true },
        { name: 'place', type: 'LTree', hierarchy: 'tree' },
        { name: 'near', type: 'Vector', vector_config: { dimensions: 3, distance_metric: 'cosine' } },
        { name: 'rate', type: 'Int', requires: 'id', sql: '{id}' },
        { name: 'boss', type: 'User', relation: { from: 'reports_to', to: 'pk_user' } },
        {
          name: 'friends',
          type: '[User!]!',
          relation: {
            from: 'pk_user',
            to: 'pk_user',
            through: { sql_source: 'tb_friend', from: 'fk_user', to: 'fk_friend' },
          },
        },
        { name: 'address', type: 'Address' },
      ],
    },
    { name: 'Flat', sql_source: 'v_flat', fields: [{ name: 'x', type: 'String', column: 'other' }] },
    { name: 'Address', embedded: true, fields: [{ name: 'city', type: 'String' }] },
    { name: 'Oops', is_error: true, fields: [{ name: 'message', type: 'String' }] },
  ],
  enums: [
    {
      name: 'Mood',
      description: 'd',
      values: [{ name: 'GOOD', value: 'good', description: 'd', deprecated: 'o' }],
      ...at(4),
    },
  ],
  interfaces: [
    {
      name: 'Named',
      description: 'd',
      sql_source: 'v_named',
      type_column: 'kind',
      aggregate: { group_by: ['user_name'], count_distinct: ['user_name'], sum: [], avg: [], min: [], max: [] },
      key_fields: ['user_name'],
      keys: ['user_name'],
      resolvable: false,
      inaccessible: true,
      tags: ['three'],
      fields: [{ name: 'user_name', type: 'String' }],
      ...at(5),
    },
  ],
  unions: [
    { name: 'Thing', description: 'd', members: ['User'], sql_source: 'v_thing', type_column: 'kind', ...at(6) },
  ],
  input_types: [
    {
      name: 'NewUser',
      description: 'd',
      fields: [
        {
          name: 'user_name',
          type: 'String',
          description: 'd',
          deprecated: 'o',
          default: 'x',
          validate: rules,
          ...at(7),
        },
        { name: 'other', type: 'String' },
      ],
      ...anyOf('user_name', 'other'),
      ...at(8),
    },
    { name: 'Range', fields: [{ name: 'low', type: 'Int', validate: { minimum: 1, maximum: 2 } }] },
  ],
  custom_scalars: [
    {
      name: 'Isbn',
      description: 'd',
      specified_by_url: 'https://example.com',
      base_type: 'ID',
      module: './s.ts',
      export: 'isbn',
      validation_rules: { length: { max: 17 } },
      elo_expression: 'length(value) > 9',
      ...at(9),
    },
  ],
  queries: [
    {
      name: 'all_users',
      type: '[User!]!',
      arguments: [argument, words],
      ...anyOf('some_id'),
      sql_source: 'v_active',
      jsonb_column: 'doc',
      inject: { tenant_id: 'jwt:tenant' },
      rest_path: '/u/{some_id}',
      auto_params: { where: false, order_by: true, limit: true, offset: true, total_count: true },
      type_column: 'kind',
      cache_ttl: 30,
      cache: true,
      additional_views: ['v_x'],
      id_arg: 'some_id',
      row_filter: 'tenant = {tenant}',
      aggregate: false,
      ...call,
    },
    { name: 'relay_users', type: '[User!]!', relay: true, public: true },
    { name: 'user_columns', type: '[User!]!', dataplane: 'arrow' },
  ],
  mutations: [
    {
      name: 'save_user',
      type: 'User',
      arguments: [
        { name: 'input', type: 'NewUser!', description: 'd', deprecated: 'o', default: {}, validate: 'required' },
      ],
      ...anyOf('input'),
      sql_source: 'app.save',
      inject: { tenant_id: 'jwt:tenant' },
      rest_path: '/u',
      operation: 'CREATE',
      input_style: 'jsonb',
      call: 'positional',
      invalidates: ['v_x'],
      cache_update: true,
      cascade: true,
      upsert_function: 'app.upsert',
      ...call,
    },
    { name: 'open', type: 'User', public: true },
  ],
  subscriptions: [
    {
      name: 'user_saved',
      type: 'User!',
      arguments: [argument],
      ...anyOf('some_id'),
      sql_source: 'v_x',
      inject: { tenant_id: 'jwt:tenant' },
      rest_path: '/s',
      entity_type: 'User',
      topic: 't',
      operation: ['INSERT'],
      filter: 'f',
      durable: true,
      replay: true,
      ...call,
    },
    { name: 'open', type: 'User', public: true },
  ],
  observers: [
    {
      name: 'o',
      entity: 'User',
      event: 'INSERT',
      condition: 'c',
      actions: [{ type: 'webhook', url: 'u' }],
      retry: { max_attempts: 3 },
      sync: true,
      ...at(10),
    },
  ],
}

type Node = {
  readonly $ref?: string
  readonly properties?: Record<string, Node>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly additionalProperties?: unknown
}

const root = schemaJsonSchema(OWNED_KEYS) as unknown as Node & { readonly $defs: Record<string, Node> }

/** Every option of the JSON Schema: `types[].fields[].name`. */
function optionsOf(node: Node, path = ''): readonly string[] {
  // Its rules hold each other, and have their own tests: validation.test.ts.
  if (node.$ref === '#/$defs/validate') return []
  const target = node.$ref === undefined ? undefined : root.$defs[node.$ref.replace('#/$defs/', '')]
  return [
    ...(target === undefined ? [] : optionsOf(target, path)),
    ...(node.anyOf ?? []).flatMap((branch) => optionsOf(branch, path)),
    ...(node.items === undefined ? [] : optionsOf(node.items, `${path}[]`)),
    ...Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
      const own = path === '' ? key : `${path}.${key}`
      return [own, ...optionsOf(child, own)]
    }),
  ]
}

/** The same for a value: every path that it sets, and the values there. */
function valuesAt(value: unknown, path: string): readonly unknown[] {
  const [head = '', ...rest] = path.split('.')
  const key = head.replace(/(\[\])+$/, '')
  const child = (value as Record<string, unknown> | null)?.[key]
  const children = head.endsWith('[]') ? (Array.isArray(child) ? child : []) : child === undefined ? [] : [child]
  return rest.length === 0 ? children : children.flatMap((item) => valuesAt(item, rest.join('.')))
}

/** Options that the artifact holds in another form, and where. */
const RESOLVED: readonly RegExp[] = [
  // Becomes the order of `call`.
  /^mutations\[\]\.call$/,
  /^\$schema$/,
  /\$place/,
  // Becomes `rules`.
  /\.validate$/,
  /\.validation_rules$/,
  /^query_defaults/,
  // Its sources say it: databases.test.ts.
  /\.database$/,
  /\.fields\[\]\.(relation|column)(\.|$)/,
  /^observers\[\]\.actions\[\]$/,
]

const options = [...new Set(optionsOf(root))]
  .filter((path) => !/\$place\./.test(path) && !path.endsWith('[]'))
  // They compile only with a plugin that runs their kind: plugin-parts.test.ts.
  .filter((path) => !path.startsWith('author_functions'))
const compiled = compileArtifact(SINK as unknown as AuthoredSchema, null)

t.test('the schema of this test sets every option there is', async (t) => {
  t.ok(options.length > 150, `${options.length} options`)
  // Options of fields are the same on interfaces.
  // A search is of a query alone; a filter in parts is the plugin's: subscriptions/compile.test.ts.
  const isElsewhere = (path: string) =>
    /^interfaces\[\]\.fields|^subscriptions\[\]\.filter\.|^(?:mutations|subscriptions)\[\]\.arguments\[\]\.full_text/.test(
      path,
    )
  const missing = options.filter((path) => !isElsewhere(path) && valuesAt(SINK, path).length === 0)
  t.strictSame(missing, [])
})

// proves: compile.every-option
t.test('every option survives into the artifact', async (t) => {
  for (const path of options) {
    if (RESOLVED.some((pattern) => pattern.test(path))) continue
    const wanted = valuesAt(SINK, path)
    if (wanted.some((value) => typeof value === 'object' && value !== null && !Array.isArray(value))) continue
    const found = JSON.stringify(valuesAt(compiled, path))
    for (const value of wanted) {
      if (Array.isArray(value) && value.some((item) => typeof item === 'object')) continue
      t.ok(found.includes(JSON.stringify(value)), `${path}: ${JSON.stringify(value)}`)
    }
  }
  t.notMatch(JSON.stringify(compiled), /\$place|\$schema/)
})

t.test('resolved elements are where the engine reads them', async (t) => {
  const [user, flat] = compiled.types
  t.match(flat?.fields[0]?.read, { from: 'column', column: 'other' })
  t.match(user?.fields.find((field) => field.name === 'boss')?.read, {
    from: 'relation',
    from_column: 'reports_to',
    to_column: 'pk_user',
    target: 'v_person',
  })
  t.match(compiled.queries[0]?.auto_params, {
    where: false,
    order_by: true,
    limit: true,
    offset: true,
    total_count: true,
  })
  t.match(compiled.queries[1]?.auto_params, { where: true, order_by: true })
  t.match(compiled.queries[0]?.inject_reads, { tenant_id: { from: 'document', document: 'doc', key: 'tenant_id' } })
  t.strictSame(
    compiled.mutations[0]?.call.map((parameter) => parameter.value),
    [
      { from: 'json', path: ['input'] },
      { from: 'inject', source: 'jwt:tenant' },
    ],
  )
  t.strictSame(compiled.requires, [
    'api-keys',
    'arrow',
    'federation',
    'jwt',
    'observers',
    'policies',
    'scopes',
    'subscriptions',
  ])
})

t.test('the model has them by wire name', async (t) => {
  const model = linkSchema(compiled)
  const user = model.types.get('User')
  const query = model.queries.get('allUsers')
  const mutation = model.mutations.get('saveUser')
  const subscription = model.subscriptions.get('userSaved')
  if (user?.kind !== 'object') return t.fail('User is an object type')
  t.match(user, {
    description: /^d$/,
    document: 'doc',
    relay: true,
    requiresRole: ['admin'],
    source: { name: 'v_person' },
  })
  t.match(user.fields.get('userName'), {
    name: 'user_name',
    description: /^d$/,
    deprecated: /^o$/,
    requiresRole: [/^a$/, /^b$/],
    requiresScope: 'read:name',
    onDeny: 'reject',
    filterable: true,
    orderable: false,
    searchable: true,
    filterType: 'StringFilter',
    filterOperators: ['_eq'],
    authorize: 'own',
  })
  t.match(user.fields.get('place'), { hierarchy: { type: { name: 'User' }, path: 'place', id: /^id$/ } })
  t.match(user.fields.get('near'), { dimensions: 3, filterOperators: ['_cosine_distance', '_is_null', '_is_not_null'] })
  const operation = {
    description: 'd',
    deprecated: 'o',
    requiresRole: ['admin'],
    requiresScope: 'read:x',
    requiresPolicy: 'own',
    authenticated: true,
    apiKeyRequired: true,
    keys: { rest_method: 'POST' },
    inject: [{ parameter: 'tenant_id', claim: 'tenant' }],
  }
  t.match(query, {
    ...operation,
    source: { name: 'v_active' },
    document: 'doc',
    typeColumn: 'kind',
    rowFilter: 'tenant = {tenant}',
    idArg: 'some_id',
    additionalViews: ['v_x'],
    keys: { rest_method: 'POST', rest_path: '/u/{some_id}', cache_ttl: 30, cache: true },
  })
  t.match(query?.arguments.get('someId'), { name: 'some_id', default: /^1$/, deprecated: /^o$/, description: /^d$/ })
  t.match(mutation, {
    ...operation,
    operation: 'CREATE',
    keys: { rest_method: 'POST', invalidates: ['v_x'], cache_update: true },
    cascade: true,
    function: { schema: 'app', name: 'save' },
  })
  t.match(subscription, {
    ...operation,
    entityType: 'User',
    topic: /^t$/,
    operations: ['INSERT'],
    filter: /^f$/,
    durable: true,
    replay: true,
  })
  t.match([model.queries.get('relayUsers')?.public, model.mutations.get('open')?.public], [true, true])
  const user_name = { written: 'user_name', wire: 'userName' }
  const other = { written: 'other', wire: 'other' }
  const input = model.types.get('NewUser')
  if (input?.kind !== 'input') return t.fail('NewUser is an input')
  t.strictSame(input.rules, [{ type: 'any_of', value: { fields: [user_name, other] } }])
  const ownRules = [
    { type: 'pattern', value: '^x', message: 'm' },
    { type: 'length', value: { min: 1, max: 9 }, message: 'm' },
    { type: 'enum', value: ['x'], message: 'm' },
  ]
  t.strictSame(input.fields.get('userName')?.rules, ownRules)
  for (const each of [query, subscription]) {
    t.strictSame(each?.arguments.get('someId')?.rules, ownRules)
    t.equal(each?.hasRules, true)
  }
  t.match([query, mutation, subscription], Array(3).fill({ rules: [{ type: 'any_of' }], hasRules: true }))
  t.equal(model.queries.get('relayUsers')?.hasRules, false)
  t.equal(model.compiled, compiled)
})
