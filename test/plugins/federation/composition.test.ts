import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import compilePolicies from '../../../plugins/policies/compile.ts'
import policies from '../../../plugins/policies/index.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { type OtherSubgraph, openGateway } from './gateway.ts'
import { openSubgraph } from './products.ts'

/** Nested keys, types that lead elsewhere, objects of interfaces and labels: composed with another subgraph, and asked through a gateway. */
const SQL = `
CREATE TABLE tb_shelf (id int PRIMARY KEY, hall text, row int, note text, keeper jsonb, authors jsonb);
INSERT INTO tb_shelf VALUES
  (1, 'north', 1, 'dusty', '{"id":"k1"}', '[[{"id":"a1"},{"id":"a2"}],[],[{"id":"a1"}]]'),
  (2, 'north', 2, 'full', '{"id":"k2"}', '[]');
CREATE VIEW v_shelf AS SELECT id, note, keeper, authors, jsonb_build_object('hall', jsonb_build_object('name', hall), 'row', row) AS place
  FROM tb_shelf;
CREATE TABLE tb_medium (id text PRIMARY KEY, lent int NOT NULL);
INSERT INTO tb_medium VALUES ('b1', 3), ('f1', 7);
CREATE VIEW v_medium AS SELECT * FROM tb_medium;
`
const embedded = { embedded: true } as const
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Shelf',
      keys: ['id', 'place { hall { name } row }'],
      directives: ['@owner(team: "halls")'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'place', type: 'Place!' },
        { name: 'note', type: 'String', override: 'stock', override_label: 'percent(100)' },
        { name: 'keeper', type: 'Keeper' },
        { name: 'authors', type: '[[Author!]!]!' },
      ],
    },
    {
      name: 'Place',
      ...embedded,
      shareable: true,
      fields: [
        { name: 'hall', type: 'Hall!' },
        { name: 'row', type: 'Int!' },
      ],
    },
    { name: 'Hall', ...embedded, shareable: true, fields: [{ name: 'name', type: 'String!' }] },
    { name: 'Keeper', ...embedded, key_fields: ['id'], resolvable: false, fields: [{ name: 'id', type: 'ID!' }] },
    { name: 'Author', ...embedded, key_fields: ['id'], resolvable: false, fields: [{ name: 'id', type: 'ID!' }] },
    {
      name: 'Medium',
      key_fields: ['id'],
      interface_object: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'lent', type: 'Int!' },
      ],
    },
  ],
  queries: [{ name: 'shelves', type: '[Shelf!]!' }],
}
const OWNER = {
  name: '@owner',
  url: 'https://specs.example.com/owner/v1.0',
  definition: 'directive @owner(team: String!) on OBJECT',
}
const stock: OtherSubgraph = {
  sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable"])
    type Shelf @key(fields: "place { hall { name } row }") { place: Place! note: String load: Int }
    type Place @shareable { hall: Hall! row: Int! }
    type Hall @shareable { name: String! }
    type Keeper @key(fields: "id") { id: ID! name: String! }
    type Author @key(fields: "id") { id: ID! name: String! }
    interface Medium @key(fields: "id") { id: ID! title: String! }
    type Book implements Medium @key(fields: "id") { id: ID! title: String! }
    type Film implements Medium @key(fields: "id") { id: ID! title: String! }
    type Query { media: [Medium!]! full: [Shelf!]! }`,
  entities: ['Shelf', 'Keeper', 'Author', 'Book', 'Film'],
  roots: {
    media: [
      { __typename: 'Book', id: 'b1', title: 'One' },
      { __typename: 'Film', id: 'f1', title: 'Two' },
    ],
    full: [{ place: { hall: { name: 'north' }, row: 2 }, note: 'of the stock' }],
  },
  find: ({ __typename, id, place }) => {
    if (__typename === 'Keeper' || __typename === 'Author') return { id, name: `${__typename} ${id}` }
    return { place, load: 10 * (place as { readonly row: number }).row }
  },
}

t.test('a subgraph of all that the options spell', async (t) => {
  const database = { kind: 'pglite', url: await createPglite(t, { sql: SQL }) } as const
  const app = await openSubgraph(t, database, SCHEMA, { compose_directives: [OWNER] })
  const gateway = await openGateway(t, app, { stock })
  const ask = async (query: string) => {
    gateway.sent.length = 0
    const { data, errors } = await gateway.ask(query)
    t.strictSame(errors, undefined, query)
    return data
  }

  // proves: field.override_label
  await t.test('the link has the version that a label wants', async (t) => {
    const { sdl } = (await app.graphql('{ _service { sdl } }')).data._service
    t.match(
      sdl,
      '@link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@composeDirective","@interfaceObject","@key","@override","@shareable"])',
    )
    t.match(sdl, 'note: String @override(from: "stock", label: "percent(100)")')
  })

  await t.test('a nested key leads both ways', async (t) => {
    const { shelves } = await ask('{ shelves { id load } }')
    t.strictSame(shelves, [
      { id: '1', load: 10 },
      { id: '2', load: 20 },
    ])
    const { full } = await ask('{ full { id } }')
    t.strictSame(full, [{ id: '2' }])
    t.match(gateway.sent, [
      { variables: { representations: [{ __typename: 'Shelf', place: { hall: { name: 'north' }, row: 2 } }] } },
    ])
  })

  await t.test('entities of another subgraph are fetched there, also in lists of lists', async (t) => {
    const { shelves } = await ask('{ shelves { keeper { name } authors { name } } }')
    const [one, two] = ['Author a1', 'Author a2'].map((name) => ({ name }))
    t.strictSame(shelves, [
      { keeper: { name: 'Keeper k1' }, authors: [[one, two], [], [one]] },
      { keeper: { name: 'Keeper k2' }, authors: [] },
    ])
    t.equal(gateway.sent.length, 1, 'of svc the list alone')
  })

  await t.test('an object of an interface adds its fields to all of its types', async (t) => {
    const { media } = await ask('{ media { __typename title lent } }')
    t.strictSame(media, [
      { __typename: 'Book', title: 'One', lent: 3 },
      { __typename: 'Film', title: 'Two', lent: 7 },
    ])
  })
})

t.test('policies and scopes are lists of lists, as composition wants them', async (t) => {
  const sql = 'CREATE VIEW v_bill AS SELECT 1 AS id, 2 AS sum'
  const schema: AuthoredSchema = {
    version: '1',
    types: [
      {
        name: 'Bill',
        key_fields: ['id'],
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'sum', type: 'Int', authorize: 'clerk' },
        ],
      },
    ],
    queries: [{ name: 'bills', type: '[Bill!]!', requires_scope: 'a b', requires_policy: 'clerk' }],
  }
  const tables = { rules: [], policies: [{ name: 'clerk', type: 'rbac', roles: ['clerk'] }], field_auth: [] }
  const parts = [{ plugin: 'policies', part: compilePolicies as never, options: tables }]
  const plugins = [entry(policies as never, { ...tables, policy_timeout_ms: 1000 })]
  const database = { kind: 'pglite', url: await createPglite(t, { sql }) } as const
  const app = await openSubgraph(t, database, schema, {}, { plugins, compile: { parts } })
  const { sdl } = (await app.graphql('{ _service { sdl } }')).data._service
  t.match(sdl, 'federation/v2.6", import: ["@key","@policy","@requiresScopes"]')
  t.match(sdl, 'sum: Int @policy(policies: [["clerk"]])')
  t.match(sdl, '@requiresScopes(scopes: [["a", "b"]]) @policy(policies: [["clerk"]])')
  const { errors, supergraphSdl } = composeServices([{ name: 'svc', url: 'http://svc', typeDefs: parse(sdl) }])
  t.strictSame(errors, undefined)
  t.match(supergraphSdl, /sum: Int .*@policy\(policies: \[\["clerk"\]\]\)/)
})

t.test('an element that depends on a hidden field is hidden with it', async (t) => {
  const sql = `CREATE TABLE tb_a (id int, at date, cost int, b int, note text); CREATE VIEW v_a AS SELECT * FROM tb_a;
    CREATE TABLE tb_c (id int, a int); CREATE VIEW v_c AS SELECT * FROM tb_c; CREATE VIEW v_d AS SELECT * FROM tb_c;`
  const inaccessible = true
  const schema: AuthoredSchema = {
    version: '1',
    types: [
      {
        name: 'A',
        key_fields: ['id'],
        aggregate: true,
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'at', type: 'Date', inaccessible },
          { name: 'cost', type: 'Int', inaccessible },
          { name: 'note', type: 'String', tags: ['internal'] },
          { name: 'cs', type: '[C!]!', relation: { from: 'id', to: 'a' } },
          { name: 'ds', type: '[D!]!', relation: { from: 'id', to: 'a' }, inaccessible },
        ],
      },
      { name: 'D', aggregate: true, fields: [{ name: 'id', type: 'ID!' }] },
      { name: 'C', inaccessible, fields: [{ name: 'id', type: 'ID!' }] },
    ],
    queries: [
      { name: 'as', type: '[A!]!', aggregate: true },
      { name: 'cs', type: '[C!]!' },
      { name: 'ds', type: '[D!]!' },
    ],
  }
  const app = await openSubgraph(t, { kind: 'pglite', url: await createPglite(t, { sql }) }, schema)
  const { sdl } = (await app.graphql('{ _service { sdl } }')).data._service
  const { errors, schema: composed } = composeServices([{ name: 'svc', url: 'http://svc', typeDefs: parse(sdl) }])
  t.strictSame(errors, undefined)
  const api = composed?.toAPISchema()
  const names = (name: string) => {
    const type = api?.type(name) as unknown as
      | { fields?(): { name: string }[]; values?: { name: string }[] }
      | undefined
    return type === undefined ? undefined : (type.fields?.() ?? type.values ?? []).map((one) => one.name)
  }
  t.strictSame(names('A'), ['id', 'note'], 'nor what leads to a hidden type, nor numbers beside a hidden relation')
  t.strictSame(names('AWhereInput'), ['id', 'note', '_and', '_or', '_not'])
  t.strictSame(names('AOrderByInput'), ['id', 'note'])
  t.strictSame(names('AGroupKeys'), ['id', 'note'])
  t.strictSame(names('AGroupBy'), ['id', 'note'])
  t.strictSame(names('Query'), ['as', 'ds', 'asAggregate', 'asGroups', 'dsAggregate', 'dsGroups'])
  t.notOk(names('CWhereInput') ?? names('AAggregateSum'), 'of which nothing is left')
  for (const type of api?.types() ?? []) {
    t.notMatch(String(type), /^ *(?:cost|at|atYear|cs)\b/m, type.name)
  }
  t.match(sdl, /input AWhereInput \{[^}]*note: StringFilter @tag\(name: "internal"\)/)
  t.strictSame(
    (await app.graphql('{ as(where: { cost: { _gt: 1 } }) { cost cs { id } } }')).data,
    { as: [] },
    'here all is there',
  )
})
