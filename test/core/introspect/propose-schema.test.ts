import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { DatabaseModel } from '../../../core/contract/database-model.ts'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import type { Proposal, ProposeOptions } from '../../../core/introspect/proposal.ts'
import { proposeSchema } from '../../../core/introspect/propose-schema.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import type { TestLike } from '../../helpers/services.ts'
import { loadPrinted } from './load-printed.ts'
import { catalogOf, column, fn, foreignKey, model, table } from './sample-model.ts'

/** Proposes a schema that compiles without faults and warnings, and is the same when it is printed and loaded. */
async function propose(t: TestLike, given: DatabaseModel, options?: ProposeOptions): Promise<Proposal> {
  const proposal = proposeSchema(given, options)
  const { faults, warnings } = compileSchema(proposal.schema, { catalog: catalogOf(given), owned: OWNED_KEYS })
  t.same(
    faults.map(({ message }) => message),
    [],
    'compiles',
  )
  t.same(
    warnings.map(({ message }) => message),
    [],
    'without warnings',
  )
  t.same(await loadPrinted(printTypeScript(proposal.schema)), proposal.schema, 'is printed')
  return proposal
}

/** Fields as `name: type`, with ` = column` and ` → from to` where they are declared. */
function fieldsOf({ schema }: Proposal, type: string): readonly string[] {
  const found = schema.types?.find(({ name }) => name === type)
  return (found?.fields ?? []).map(({ name, type: of, column: own, relation }) => {
    const declared = relation === undefined ? '' : ` → ${[relation.from].flat()}=${[relation.to].flat()}`
    return `${name}: ${of}${own === undefined ? '' : ` = ${own}`}${declared}`
  })
}

function queriesOf({ schema }: Proposal): readonly string[] {
  return (schema.queries ?? []).map(({ name, type, arguments: args = [] }) => {
    const printed = args.map((one) => `${one.name}: ${one.type}`).join(', ')
    return `${name}(${printed}): ${type}`
  })
}

t.test('a table becomes a type with a list, a row by its key and one by each unique key', async (t) => {
  const given = model([
    table(
      'order_items',
      { id: 'uuid', sku: 'text', created_at: 'timestamptz', note: 'text?' },
      {
        comment: ' A line ',
        uniqueKeys: [['sku'], ['sku', 'created_at']],
      },
    ),
  ])
  const proposal = await propose(t, given)
  const [type] = proposal.schema.types ?? []
  t.match(type, { name: 'OrderItem', description: 'A line', sql_source: 'order_items', key: undefined })
  t.same(fieldsOf(proposal, 'OrderItem'), ['id: ID!', 'sku: String!', 'createdAt: DateTime!', 'note: String'])
  t.same(queriesOf(proposal), [
    'orderItems(): [OrderItem!]!',
    'orderItem(id: ID!): OrderItem',
    'orderItemBySku(sku: String!): OrderItem',
    'orderItemBySkuAndCreatedAt(sku: String!, createdAt: DateTime!): OrderItem',
  ])
  t.same(proposal.schema.queries?.[0]?.auto_params, { total_count: true })
  t.same(proposal.report, [])
})

t.test('keys that no convention gives are declared', async (t) => {
  const given = model([
    table('artist', { artist_id: 'int4', name: 'text' }, { primaryKey: ['artist_id'] }),
    table('tb_shop', { pk_shop: 'int8' }, { primaryKey: ['pk_shop'] }),
    table('order_line', { order_no: 'int4', line_no: 'int4' }, { primaryKey: ['order_no', 'line_no'] }),
    table('v_best', { code: 'text?' }, { kind: 'view', uniqueKeys: [['code']] }),
    table('v_all', { name: 'text?' }, { kind: 'view' }),
    table('loose', { code: 'text?' }, { uniqueKeys: [['code']] }),
  ])
  const proposal = await propose(t, given)
  const keys = Object.fromEntries((proposal.schema.types ?? []).map(({ name, key }) => [name, key]))
  t.same(keys, {
    All: undefined,
    Artist: 'artist_id',
    Best: 'code',
    Loose: undefined,
    OrderLine: ['order_no', 'line_no'],
    Shop: undefined,
  })
  t.same(fieldsOf(proposal, 'Artist'), ['id: ID! = artist_id', 'name: String!'])
  t.same(fieldsOf(proposal, 'Shop'), ['id: ID! = pk_shop'])
  t.same(queriesOf(proposal), [
    'alls(): [All!]!',
    'artists(): [Artist!]!',
    'artist(id: ID!): Artist',
    'bests(): [Best!]!',
    'best(code: String!): Best',
    'looses(): [Loose!]!',
    'looseByCode(code: String!): Loose',
    'orderLines(): [OrderLine!]!',
    'orderLine(orderNo: Int!, lineNo: Int!): OrderLine',
    'shops(): [Shop!]!',
    'shop(id: ID!): Shop',
  ])
})

t.test('foreign keys become relations in both directions', async (t) => {
  const user = table('users', { id: 'int4', email: 'text' })
  const given = model([
    user,
    table(
      'posts',
      { id: 'int4', author_id: 'int4', editor_id: 'int4?', country: 'text' },
      {
        foreignKeys: [
          foreignKey('author_id', 'users.id'),
          foreignKey('editor_id', 'users.id'),
          foreignKey('country', 'countries.code'),
        ],
      },
    ),
    table('countries', { code: 'text', name: 'text' }, { primaryKey: ['code'] }),
    table(
      'employees',
      { id: 'int4', reports_to: 'int4?' },
      { foreignKeys: [foreignKey('reports_to', 'employees.id')] },
    ),
    table(
      'profiles',
      { user_id: 'int4', bio: 'text' },
      { primaryKey: ['user_id'], foreignKeys: [foreignKey('user_id', 'users.id')] },
    ),
    table(
      'likes',
      { user_id: 'int4', post_id: 'int4' },
      {
        primaryKey: ['user_id', 'post_id'],
        foreignKeys: [foreignKey('user_id', 'users.id'), foreignKey('post_id', 'posts.id')],
      },
    ),
    table(
      'likings',
      { id: 'int4', liker: 'int4', liked: 'int4' },
      { foreignKeys: [foreignKey('liker liked', 'likes.user_id post_id')] },
    ),
  ])
  const proposal = await propose(t, given)
  t.same(fieldsOf(proposal, 'Post'), [
    'id: ID!',
    'author: User!',
    'editor: User',
    'country: Country! → country=code',
    'likes: [Like!]!',
    'users: [User!]! → id=id',
  ])
  t.same(fieldsOf(proposal, 'User'), [
    'id: ID!',
    'email: String!',
    'likes: [Like!]!',
    'postsByAuthor: [Post!]! → id=author_id',
    'postsByEditor: [Post!]! → id=editor_id',
    'profile: Profile → id=user_id',
    'postsByLike: [Post!]! → id=id',
  ])
  t.same(fieldsOf(proposal, 'Employee'), ['id: ID!', 'reportsTo: Employee → reports_to=id', 'employees: [Employee!]!'])
  t.same(fieldsOf(proposal, 'Profile'), ['userId: ID!', 'user: User!', 'bio: String!'])
  t.same(fieldsOf(proposal, 'Like'), [
    'userId: ID!',
    'user: User!',
    'postId: ID!',
    'post: Post!',
    'likings: [Liking!]! → user_id,post_id=liker,liked',
  ])
  t.same(fieldsOf(proposal, 'Liking'), ['id: ID!', 'like: Like! → liker,liked=user_id,post_id'])
})

t.test('a relation whose row a policy may hide is nullable', async (t) => {
  const given = model([
    table('users', { id: 'int4' }, { rowSecurity: 'enabled' }),
    table('posts', { id: 'int4', user_id: 'int4' }, { foreignKeys: [foreignKey('user_id', 'users.id')] }),
  ])
  t.same(fieldsOf(await propose(t, given), 'Post'), ['id: ID!', 'user: User'])
})

t.test('a relation gives way to a column of its name', async (t) => {
  const given = model([
    table('customers', { id: 'int4' }),
    table(
      'tickets',
      { id: 'int4', customer_id: 'int4', customer: 'text', tickets: 'int4' },
      { foreignKeys: [foreignKey('customer_id', 'customers.id')] },
    ),
  ])
  const proposal = await propose(t, given)
  t.same(fieldsOf(proposal, 'Ticket'), [
    'id: ID!',
    'customerRef: Customer! → customer_id=id',
    'customer: String!',
    'tickets: Int!',
  ])
  t.same(proposal.report, [
    { kind: 'relation', name: 'public.tickets.customer_id_fkey', newName: 'Ticket.customerRef' },
  ])
})

t.test('columns with secrets are left out, and named in the report', async (t) => {
  const secrets = [
    'password',
    'password_hash',
    'passwordSalt',
    'api_key',
    'ACCESS_TOKEN',
    'privateKey',
    'client-secret',
  ]
  const others = ['hashtag', 'tokenizer_name', 'salted', 'key', 'secretary', 'compass']
  const columns = [
    column('id', 'int4'),
    ...[...secrets, ...others].map((name) => column(name, 'text')),
    column('has_password', 'bool'),
    column('token_expires_at', 'timestamptz'),
    column('token_id', 'int4?'),
  ]
  const given = model([table('accounts', columns, { foreignKeys: [foreignKey('token_id', 'accounts.id')] })])
  const proposal = await propose(t, given)
  const skipped = proposal.report.filter((entry) => 'reason' in entry && entry.reason === 'looks like a secret')
  t.same(
    skipped.map(({ name }) => name),
    secrets.map((name) => `public.accounts.${name}`),
  )
  t.same(fieldsOf(proposal, 'Account'), [
    'id: ID!',
    ...others.map((name) => `${name.replace(/_n/, 'N')}: String!`),
    'hasPassword: Boolean!',
    'tokenExpiresAt: DateTime!',
    'token: Account',
    'accounts: [Account!]!',
  ])
})

t.test('each column has the scalar of its type', async (t) => {
  const types = {
    int2: 'Int',
    int8: 'BigInt',
    numeric: 'Decimal',
    float4: 'Float',
    bool: 'Boolean',
    uuid: 'UUID',
    text: 'String',
    citext: 'String',
    date: 'Date',
    time: 'Time',
    timestamp: 'DateTime',
    jsonb: 'JSON',
    bytea: 'String',
    inet: 'IPAddress',
    cidr: 'CIDR',
    macaddr: 'MACAddress',
    interval: 'Duration',
    daterange: 'DateRange',
    int4range: 'String',
    vector: 'Vector',
    halfvec: 'HalfVector',
    sparsevec: 'SparseVector',
    bit: 'BitVector',
    ltree: 'LTree',
    xml: 'String',
    money: 'String',
  }
  const place = { type: 'geography', shape: 'Point', srid: 4326, schema: 'public' } as const
  const columns = [
    ...Object.keys(types).map((type) => column(`a_${type}`, type)),
    column('a_place', 'geography', { place }),
    column('tags', '_text'),
    column('matrix', '_int4', { sqlType: 'integer[][]' }),
    column('moods', '_mood', { enum: 'public.mood' }),
    column('mood', 'enum:mood', { enum: 'public.mood' }),
    column('parent_id', 'int8'),
    column('vectors', '_vector'),
    column('words', 'tsvector'),
    column('home', 'row:address'),
    column('tree', 'hstore'),
    column('far', 'geometry', { place: { ...place, type: 'geometry', srid: 0 } }),
    column('hidden', 'text', { unreadable: true }),
  ]
  const mood = {
    schema: 'public',
    name: 'mood',
    visible: true,
    labels: ['happy', 'so-so', 'N/A', 'true', '1st', '', 'so so'],
  }
  const proposal = await propose(t, model([table('things', columns)], { enums: [mood] }))
  t.same(fieldsOf(proposal, 'Thing'), [
    ...Object.entries(types).map(([type, scalar]) => `a${type[0]!.toUpperCase()}${type.slice(1)}: ${scalar}!`),
    'aPlace: GeoJSON!',
    'tags: [String]!',
    'matrix: JSON!',
    'moods: [Mood]!',
    'mood: Mood!',
    'parentId: ID!',
  ])
  t.same(
    proposal.report.flatMap((entry) => ('reason' in entry ? [entry.name] : [])),
    ['vectors', 'words', 'home', 'tree', 'far', 'hidden'].map((name) => `public.things.${name}`),
  )
  t.same(proposal.schema.enums?.[0]?.values, [
    { name: 'HAPPY', value: 'happy' },
    { name: 'SO_SO', value: 'so-so' },
    { name: 'N_A', value: 'N/A' },
    { name: 'TRUE', value: 'true' },
    { name: '_1ST', value: '1st' },
    { name: 'VALUE', value: '' },
    { name: 'SO_SO2', value: 'so so' },
  ])
})

t.test('names that GraphQL or svc cannot have are changed, always in the same way', async (t) => {
  const key = { id: 'int4' }
  const given = model([
    ...[
      'Query',
      'times',
      'date',
      'post',
      'post_list',
      'order items',
      'Größe',
      '2fa',
      'news',
      'dotted.name',
      'user',
    ].map((name) => table(name, key)),
    table('users', key),
    table('user', key, { schema: 'auth', visible: false }),
    table('a:b', key),
    table('odd', [
      ...['id', '_eq', '__x', 'a b', 'a_b', 'aB', '日', 'constructor'].map((name) => column(name, 'int4')),
    ]),
  ])
  const proposal = await propose(t, given)
  const names = Object.fromEntries((proposal.schema.types ?? []).map((type) => [type.sql_source, type.name]))
  t.same(names, {
    Query: 'QueryRecord',
    times: 'Times',
    date: 'DateRecord',
    post: 'Post',
    post_list: 'PostListRecord',
    'order items': 'OrderItem',
    Größe: 'Grosse',
    '2fa': '_2fa',
    news: 'News',
    'public.dotted.name': 'DottedName',
    user: 'User',
    users: 'Users',
    'auth.user': 'AuthUser',
    odd: 'Odd',
  })
  t.same(fieldsOf(proposal, 'Odd'), [
    'id: ID!',
    '_eqValue: Int! = _eq',
    'x: Int! = __x',
    'aBValue: Int! = a b',
    'aB: Int!',
    'aBValue2: Int! = aB',
    'u65e5: Int! = 日',
    'constructor: Int!',
  ])
  t.ok(queriesOf(proposal).includes('news(): [News!]!') && queriesOf(proposal).includes('newsByKey(id: ID!): News'))
  const renamed = proposal.report
    .filter((entry) => 'newName' in entry && entry.kind === 'table')
    .map(({ name }) => name)
  t.same([...renamed].sort(), [
    'auth.user',
    'public.2fa',
    'public.Größe',
    'public.Query',
    'public.date',
    'public.dotted.name',
    'public.order items',
    'public.post_list',
    'public.times',
    'public.users',
  ])
  t.match(
    proposal.report.find(({ name }) => name === 'public.a:b'),
    { kind: 'table', reason: /colon/ },
  )
  t.same(proposeSchema(given), proposal)
})

t.test('overrides replace the derived names', async (t) => {
  const given = model([
    table('tbl_kunde', { id: 'int4', ust: 'text' }),
    table('bestellung', { id: 'int4', kunde_id: 'int4' }, { foreignKeys: [foreignKey('kunde_id', 'tbl_kunde.id')] }),
  ])
  const names = {
    types: { tbl_kunde: 'Customer', 'public.bestellung': 'Order' },
    fields: { 'tbl_kunde.ust': 'vatNumber' },
  }
  const proposal = await propose(t, given, { names })
  t.same(fieldsOf(proposal, 'Customer'), ['id: ID!', 'vatNumber: String! = ust', 'orders: [Order!]!'])
  t.same(fieldsOf(proposal, 'Order'), ['id: ID!', 'kunde: Customer!'])
})

t.test('what the role may not read is left out', async (t) => {
  const none = { select: false, insert: true, update: true, delete: true }
  const given = model([
    table('secret', { id: 'int4' }, { privileges: none }),
    table('blind', [column('id', 'int4', { unreadable: true }), column('name', 'text')]),
    table('note', { id: 'int4', secret_id: 'int4' }, { foreignKeys: [foreignKey('secret_id', 'secret.id')] }),
    table('empty', [column('a', 'tsvector')]),
    table('other', { id: 'int4' }, { schema: 'other' }),
  ])
  const proposal = await propose(t, given, { schemas: ['public'] })
  t.same(
    proposal.schema.types?.map(({ name }) => name),
    ['Note'],
  )
  t.same(fieldsOf(proposal, 'Note'), ['id: ID!', 'secretId: ID!'], 'the reference stays as a value')
  t.same(
    proposal.report.map(({ kind, name }) => `${kind} ${name}`),
    [
      'table public.secret',
      'table public.blind',
      'column public.empty.a',
      'table public.empty',
      'relation public.note.secret_id_fkey',
    ],
  )
})

t.test('functions that write become mutations when the options want them', async (t) => {
  const scalar = (type: string) => ({ set: false, kind: 'scalar' as const, type, columns: [] })
  const parameter = (name: string | null, type: string, hasDefault = false) => ({
    name,
    type,
    sqlType: type,
    hasDefault,
  })
  const rows = {
    set: true,
    kind: 'composite' as const,
    type: 'row:users',
    relation: { schema: 'public', name: 'users' },
    columns: [{ name: 'id', type: 'int4' }],
  }
  const functions = [
    fn('fn_rename_user', {
      parameters: [parameter('p_id', 'int4'), parameter('p_name', 'text', true)],
      returns: { ...rows, set: false },
    }),
    fn('import_users', { comment: 'Imports', parameters: [parameter('names', '_text')], returns: rows }),
    fn('tidy_up', { kind: 'procedure' }),
    fn('add', { parameters: [parameter(null, 'int4'), parameter(null, 'int4')], returns: scalar('int4') }),
    fn('count_users', { volatility: 'stable', returns: scalar('int8') }),
    fn('best_users', { volatility: 'stable', returns: rows, parameters: [parameter('most', 'int4', true)] }),
    fn('users_near', { volatility: 'immutable', returns: rows, parameters: [parameter('place', 'text')] }),
    fn('closed', { executable: false }),
    fn('odd', { parameters: [parameter('a', 'tsvector')] }),
    fn('pair', { returns: { set: false, kind: 'composite', type: 'record', columns: [{ name: 'a', type: 'int4' }] } }),
    fn('tidy_up', { parameters: [parameter('days', 'int4')] }),
  ]
  const given = model([table('users', { id: 'int4' })], { functions })
  const { schema, report } = await propose(t, given, { writes: true })
  t.same(schema.mutations, [
    {
      name: 'renameUser',
      type: 'User',
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String' },
      ],
      sql_source: 'fn_rename_user',
    },
    {
      name: 'importUsers',
      type: '[User!]!',
      description: 'Imports',
      arguments: [{ name: 'names', type: '[String!]!' }],
      sql_source: 'import_users',
    },
    { name: 'tidyUp', type: 'Boolean!', sql_source: 'tidy_up' },
    {
      name: 'add',
      type: 'Int',
      arguments: [
        { name: 'arg1', type: 'Int!' },
        { name: 'arg2', type: 'Int!' },
      ],
      sql_source: 'add',
      call: 'positional',
    },
  ])
  t.same(
    report.map(({ name }) => name),
    [
      ...['public.count_users()', 'public.best_users(int4)', 'public.users_near(text)', 'public.closed()'],
      ...['public.odd(tsvector)', 'public.pair()', 'public.tidy_up(int4)'],
    ],
  )
  t.same(
    report.slice(0, 3).map((entry) => 'reason' in entry && entry.reason),
    [
      'returns a value that no query can read: select it in a view',
      'reads, and queries read tables and views: select from it in a view',
      'reads, and queries read tables and views: write a view with its arguments as columns',
    ],
    'each function that reads comes with a way to serve it',
  )
  const reading = proposeSchema(given)
  t.same(reading.schema.mutations, [])
  t.equal(reading.report.length, functions.length)
})
