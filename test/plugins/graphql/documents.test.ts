import t from 'tap'
import type { FieldSelection, RootSelection, Selection } from '../../../core/contract/operation.ts'
import { type Served, serve } from './serve.ts'

/** A selection as one line: `name friends:boss { id }`, abstract ones as `User{…} | Post{…}`. */
function show(selection: Selection): string {
  if (selection === null) return ''
  if (selection.kind === 'object') return selection.fields.map(showField).join(' ')
  if (selection.kind === 'abstract') {
    return [...selection.possible].map(([name, each]) => `${name}{${show(each)}}`).join(' | ')
  }
  const fields = selection.fields.map((field) => {
    const key = field.responseKey === field.field ? field.field : `${field.responseKey}:${field.field}`
    if (field.field === 'items') return `${key}{${show(field.selection)}}`
    if (field.field === 'edges') {
      return `${key}{${field.members.map((m) => (m.name === 'node' ? `${m.responseKey}:node{${show(m.selection)}}` : `${m.responseKey}:${m.name}`)).join(' ')}}`
    }
    return field.field === 'pageInfo'
      ? `${key}{${field.members.map((m) => `${m.responseKey}:${m.name}`).join(' ')}}`
      : key
  })
  return `${selection.kind} ${selection.typeName} ${fields.join(' ')}`
}

function showField(field: FieldSelection): string {
  if (field.kind === 'typename') return `${field.responseKey}:__typename`
  if (field.kind === 'denied') throw new Error('a front denies nothing')
  if (field.kind === 'aggregate') return `${field.responseKey}:numbers of ${field.field.wireName}`
  const key =
    field.responseKey === field.field.wireName ? field.responseKey : `${field.responseKey}:${field.field.wireName}`
  const args = field.arguments.length === 0 ? '' : `(${JSON.stringify(field.arguments)})`
  return field.selection === null ? `${key}${args}` : `${key}${args}{${show(field.selection)}}`
}

async function roots(served: Served, query: string, variables = {}): Promise<readonly RootSelection[]> {
  return (await served.operation(query, variables)).template.roots
}

async function selection(served: Served, query: string, variables = {}): Promise<string> {
  const [root] = await roots(served, query, variables)
  if (root?.kind !== 'operation' && root?.kind !== 'node') throw new Error('no operation')
  return show(root.selection)
}

t.test('selections', async (t) => {
  const served = await serve(t)
  const cases: readonly [string, string, string][] = [
    [
      'aliases and __typename',
      '{ users { a: name __typename b: __typename name } }',
      'a:name __typename:__typename b:__typename name',
    ],
    [
      'fields of one key are merged, in the place of the first',
      '{ users { boss { id } name boss { name id } } }',
      'boss{id name} name',
    ],
    [
      'fragments are spread in place',
      '{ users { ...A name } } fragment A on User { id ...B } fragment B on User { age id }',
      'id age name',
    ],
    [
      'inline fragments without and with condition',
      '{ users { ... { id } ... on User { age } ... on Named { name } ... on Node { id } } }',
      'id age name',
    ],
    [
      'an interface has one list per type',
      '{ named { id ... on Shop { owner } ... on User { age } } }',
      'User{id age} | Shop{id owner}',
    ],
    [
      'a union has one list per type',
      '{ search(text: "x") { __typename ... on User { name } ... on Named { id } } }',
      'User{__typename:__typename name id} | Post{__typename:__typename}',
    ],
    [
      'a fragment on an interface of a union member',
      '{ search(text: "x") { ...N } } fragment N on Node { id }',
      'User{id} | Post{id}',
    ],
    [
      'connections',
      '{ userPages { total: totalCount __typename pageInfo { next: hasNextPage __typename } edges { cursor node { id } } e: edges { __typename n: node { name } } } }',
      'connection UserConnection total:totalCount __typename pageInfo{next:hasNextPage __typename:__typename} edges{cursor:cursor node:node{id}} e:edges{__typename:__typename n:node{name}}',
    ],
    [
      'pages are merged too',
      '{ userPages { edges { node { id } } edges { node { name } } } }',
      'connection UserConnection edges{node:node{id name}}',
    ],
    ['counted lists', '{ countedPosts { items { id } totalCount } }', 'list PostList items{id} totalCount'],
    [
      'fragments on wrappers',
      '{ countedPosts { ...L } } fragment L on PostList { items { ... on Post { title } } }',
      'list PostList items{title}',
    ],
    ['node has one list per relay type', '{ node(id: "x") { id ... on Post { title } } }', 'User{id} | Post{id title}'],
  ]
  for (const [name, query, expected] of cases) t.equal(await selection(served, query), expected, name)
})

t.test('@skip and @include choose the template', async (t) => {
  const served = await serve(t)
  const query =
    'query ($a: Boolean!, $b: Boolean = true) { users { id name @include(if: $a) ...F @skip(if: $b) ... @include(if: false) { age } } } fragment F on User { email @skip(if: $a) tags }'
  t.equal(await selection(served, query, { a: true }), 'id name')
  t.equal(await selection(served, query, { a: false }), 'id')
  t.equal(await selection(served, query, { a: true, b: false }), 'id name tags')
  t.equal(await selection(served, query, { a: false, b: false }), 'id email tags')
  const first = await served.operation(query, { a: true })
  t.equal(
    (await served.operation(query, { a: true, b: true })).template,
    first.template,
    'the same assignment, the same template',
  )
  t.not((await served.operation(query, { a: false })).template, first.template)
  t.equal(await selection(served, '{ users { id @skip(if: true) } }'), '', 'nothing may be left')
})

t.test('roots', async (t) => {
  const served = await serve(t)
  const query = 'query Two { a: users { id } __typename b: user(id: 7) { id } n: node(id: "x") { id } }'
  const { template } = await served.operation(query)
  t.equal(template.kind, 'query')
  t.equal(template.name, 'Two')
  t.strictSame(
    template.roots.map((root) => [root.kind, root.responseKey]),
    [
      ['operation', 'a'],
      ['typename', '__typename'],
      ['operation', 'b'],
      ['node', 'n'],
    ],
  )
  t.match(template.roots[2], { operation: { name: 'user' }, location: { line: 1, column: 40 } })
  const mutation = await served.operation(
    'mutation { a: lockUsers(ids: ["1"]) b: lockUsers(ids: ["2"], status: null) __typename }',
  )
  t.equal(mutation.template.kind, 'mutation')
  t.match(mutation.template.roots, [
    {
      responseKey: /^a$/,
      arguments: [
        { name: 'ids', value: { value: [/^1$/] } },
        { name: 'status', value: { value: 'LOCKED' } },
      ],
    },
    {
      responseKey: /^b$/,
      arguments: [
        { name: 'ids', value: { value: [/^2$/] } },
        { name: 'status', value: { value: null } },
      ],
    },
    { typeName: 'Mutation' },
  ])
})

t.test('arguments: constants are folded, variables stay', async (t) => {
  const served = await serve(t)
  async function args(query: string, variables = {}) {
    const [root] = await roots(served, query, variables)
    return root?.kind === 'operation'
      ? Object.fromEntries(root.arguments.map(({ name, value }) => [name, value]))
      : null
  }
  t.strictSame(await args('{ user(id: 12345678901234567890) { id } }'), {
    id: { kind: 'constant', value: '12345678901234567890' },
  })
  t.strictSame(
    await args(
      '{ users(where: {_or: {balance: {_gt: 1.10}}, createdAt: {_lt: "2026-01-01"}, tags: {_has_any: "x"}, status: {_eq: ACTIVE}}, orderBy: [{age: ASC}, {name: DESC_NULLS_LAST}], limit: 5) { id } }',
    ),
    {
      where: {
        kind: 'constant',
        value: {
          createdAt: { _lt: '2026-01-01T00:00:00+00:00' },
          tags: { _has_any: ['x'] },
          status: { _eq: 'ACTIVE' },
          _or: [{ balance: { _gt: '1.10' } }],
        },
      },
      orderBy: { kind: 'constant', value: [{ age: 'ASC' }, { name: 'DESC_NULLS_LAST' }] },
      limit: { kind: 'constant', value: 5 },
    },
  )
  const int = { kind: 'named', name: 'Int', nullable: true }
  t.strictSame(
    await args(
      'query ($n: Int, $w: UserWhereInput!) { users(where: {_and: [$w, {age: {_in: [1, 2]}}]}, limit: $n) { id } }',
      { w: {} },
    ),
    {
      where: {
        kind: 'object',
        fields: [
          {
            name: '_and',
            value: {
              kind: 'list',
              items: [
                { kind: 'variable', name: 'w', type: { kind: 'named', name: 'UserWhereInput', nullable: false } },
                { kind: 'constant', value: { age: { _in: [1, 2] } } },
              ],
            },
          },
        ],
      },
      limit: { kind: 'variable', name: 'n', type: int },
    },
  )
  t.strictSame(await args('{ search(text: "x") { __typename } }'), {
    text: { kind: 'constant', value: 'x' },
    top: { kind: 'constant', value: 10 },
  })
})

t.test('input objects: defaults are filled in, in literals and beside variables', async (t) => {
  const served = await serve(t)
  const [folded] = await roots(
    served,
    'mutation { createUser(input: {name: "Ann", balance: 0.10, isbn: "1-2", friend: {name: "Bob", meta: {b: [1.5, null, {c: "d"}]}}}) { id } }',
  )
  t.strictSame(folded?.kind === 'operation' && folded.arguments[0]?.value, {
    kind: 'constant',
    value: {
      name: 'Ann',
      age: 18,
      status: 'ACTIVE',
      balance: '0.10',
      meta: { a: 1 },
      friend: { name: 'Bob', age: 18, status: 'ACTIVE', meta: { b: [1.5, null, { c: 'd' }] } },
      isbn: '12',
    },
  })
  const [mixed] = await roots(served, 'mutation ($n: String!) { createUser(input: {name: $n, meta: null}) { id } }', {
    n: 'Ann',
  })
  t.strictSame(mixed?.kind === 'operation' && mixed.arguments[0]?.value, {
    kind: 'object',
    fields: [
      {
        name: 'name',
        value: { kind: 'variable', name: 'n', type: { kind: 'named', name: 'String', nullable: false } },
      },
      { name: 'age', value: { kind: 'constant', value: 18 } },
      { name: 'status', value: { kind: 'constant', value: 'ACTIVE' } },
      { name: 'meta', value: { kind: 'constant', value: null } },
    ],
  })
})

t.test('a variable at a place with a default', async (t) => {
  const served = await serve(t)
  const query = 'query ($n: Int) { search(text: "x", top: $n) { __typename } }'
  const absent = await served.operation(query)
  t.match(absent.template.roots, [
    { arguments: [{}, { name: 'top', value: { kind: 'variable', name: 'n@0', type: { nullable: false } } }] },
  ])
  t.strictSame(absent.variables, { 'n@0': 10 })
  t.strictSame((await served.operation(query, { n: 3 })).variables, { n: 3, 'n@0': 3 })
  t.match(await served.errors({ query, variables: { n: null } }), [
    {
      message: 'Argument "top" of non-null type "Int!" must not be null.',
      extensions: { code: 'BAD_USER_INPUT', path: [/^n$/] },
    },
  ])
  const withDefault = 'query ($id: ID = "1") { user(id: $id) { id } }'
  t.match((await served.operation(withDefault)).variables, { id: /^1$/ })
  t.match(await served.errors({ query: withDefault, variables: { id: null } }), [
    { message: 'Argument "id" of non-null type "ID!" must not be null.' },
  ])
})

t.test('several operations: operationName picks', async (t) => {
  const served = await serve(t)
  const query = 'query A { users { id } } query B($x: ID!) { user(id: $x) { id } }'
  const pick = (operationName?: unknown, variables?: unknown) => served.post({ query, operationName, variables })
  t.equal((await pick('A')).status, 200)
  t.equal((await pick('A', { x: 1 })).status, 200, "another operation's variable is not unknown")
  const fail = async (body: object) => (await served.errors(body))[0]
  t.match(await fail({ query }), {
    message: 'The document has several operations: operationName must say which. Its operations: A, B.',
    extensions: { code: 'REQUEST_ERROR' },
  })
  t.match(await fail({ query, operationName: 'a2' }), {
    message: 'The document has no operation "a2". Did you mean "A"? Its operations: A, B.',
  })
  t.match(await fail({ query: '{ users { id } }', operationName: 'A' }), {
    message: 'The document has one operation, without a name; operationName asks for "A".',
  })
  t.match(await fail({ query: 'fragment F on User { id }' }), { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })
})

t.test('introspection beside data', async (t) => {
  const served = await serve(t)
  const query =
    'query ($n: String!, $f: Boolean = false) { users { id } t: __type(name: $n) { name fields @include(if: $f) { name } } ...S } fragment S on Query { __schema { queryType { name } } }'
  const first = await served.operation(query, { n: 'Address' })
  t.match(first.template.roots, [
    { kind: 'operation' },
    { kind: 'literal', responseKey: /^t$/, json: '{"name":"Address"}' },
    { kind: 'literal', responseKey: '__schema', json: '{"queryType":{"name":"Query"}}' },
  ])
  const second = await served.operation(query, { n: 'Address', f: true })
  t.match(second.template.roots, [{}, { json: '{"name":"Address","fields":[{"name":"city"},{"name":"street"}]}' }])
  const constant = '{ __type(name: "Status") { kind } }'
  t.equal(
    (await served.operation(constant)).template,
    (await served.operation(constant)).template,
    'without variables: computed once',
  )
})

t.test('introspection can be switched off', async (t) => {
  const served = await serve(t, { options: { introspection: false } })
  t.match(await served.errors({ query: '{ __schema { types { name } } }' }), [
    { message: /introspection has been disabled/, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    {},
  ])
  t.equal((await served.post({ query: '{ __typename }' })).status, 200)
})
