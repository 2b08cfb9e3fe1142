import { Kind, type ObjectTypeDefinitionNode, parse, print, stripIgnoredCharacters } from 'graphql'
import t from 'tap'
import { createPglite } from '../../helpers/databases.ts'
import { decodeTrace } from './decode-trace.ts'
import { type OtherSubgraph, openGateway } from './gateway.ts'
import { COMPOSED, entities, openSubgraph, PRODUCTS, PRODUCTS_SQL } from './products.ts'

/**
 * The 23 tests of `@apollo/federation-subgraph-compatibility-tests`, under their names: the same requests to a subgraph of
 * products, of itself and behind a gateway.
 */
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@requires"])'
const users: OtherSubgraph = {
  sdl: `${LINK}
    type User @key(fields: "email") { email: ID! name: String totalProductsCreated: Int @shareable yearsOfEmployment: Int! }
    type Query { someone: User }`,
  entities: ['User'],
  roots: { someone: { email: 'support@apollographql.com', totalProductsCreated: 4, yearsOfEmployment: 10 } },
  find: ({ email }) =>
    email === 'support@apollographql.com'
      ? { email, name: 'not this one', totalProductsCreated: 4, yearsOfEmployment: 10 }
      : null,
}
const inventory: OtherSubgraph = {
  sdl: `${LINK}
    type Product @key(fields: "id") { id: ID! dimensions: ProductDimension @external
      delivery(zip: String): Delivery @requires(fields: "dimensions { size weight }") }
    type ProductDimension @shareable { size: String weight: Float }
    type Delivery { estimated: String }
    interface Inventory @key(fields: "id") { id: ID! products: [Product!]! }
    type OpenSource implements Inventory @key(fields: "id") { id: ID! products: [Product!]! }
    type Query { inventory(id: ID!): Inventory }`,
  entities: ['Product', 'OpenSource'],
  roots: {
    inventory: ({ id }: { id: string }) => ({ __typename: 'OpenSource', id, products: [{ id: 'apollo-studio' }] }),
  },
  find: ({ id, dimensions }) => ({ id, delivery: { estimated: JSON.stringify(dimensions) } }),
}

const database = { kind: 'pglite', url: await createPglite(t, { sql: PRODUCTS_SQL }) } as const
const app = await openSubgraph(t, database, PRODUCTS, { compose_directives: [COMPOSED], inline_traces: true })
const gateway = await openGateway(t, app, { users, inventory })
const ID = { id: 'apollo-federation' }
const sdl: string = (await app.graphql('{ _service { sdl } }')).data._service.sdl
const text = stripIgnoredCharacters(sdl)

/** Of the subgraph itself. */
async function product(selection: string) {
  const { data, errors } = await app.graphql(`query ($id: ID!) { product(id: $id) { ${selection} } }`, ID)
  t.strictSame(errors, undefined)
  return data.product
}

/** Through the gateway. */
async function routed(query: string, variables: object) {
  const { data, errors } = await gateway.ask(query, variables)
  t.strictSame(errors, undefined)
  return data
}

const routedProduct = async (selection: string) =>
  (await routed(`query ($id: ID!) { product(id: $id) { ${selection} } }`, ID)).product

async function found(representations: readonly unknown[], fragment: string) {
  const { rows, errors } = await entities(app, representations, fragment)
  t.strictSame(errors, undefined)
  return rows
}

/** The fields that the specification's own schema of products has. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  CaseStudy: ['caseNumber: ID!', 'description: String'],
  DeprecatedProduct: ['sku: String!', 'package: String!', 'reason: String', 'createdBy: User'],
  Product: [
    'id: ID!',
    'sku: String',
    'package: String',
    'variation: ProductVariation',
    'dimensions: ProductDimension',
    'createdBy: User',
    'notes: String',
    'research: [ProductResearch!]!',
  ],
  ProductDimension: ['size: String', 'weight: Float', 'unit: String'],
  ProductResearch: ['study: CaseStudy!', 'outcome: String'],
  ProductVariation: ['id: ID!'],
  Query: ['product(id: ID!): Product', 'deprecatedProduct(sku: String! package: String!): DeprecatedProduct'],
  User: [
    'averageProductsCreatedPerYear: Int',
    'email: ID!',
    'name: String',
    'totalProductsCreated: Int',
    'yearsOfEmployment: Int!',
  ],
}

t.test('introspection', async (t) => {
  const { definitions } = parse(sdl)
  for (const [name, fields] of Object.entries(FIELDS)) {
    const type = definitions.find((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === name)
    const printed = ((type as ObjectTypeDefinitionNode).fields ?? []).map((field) =>
      stripIgnoredCharacters(print({ ...field, directives: [] })),
    )
    t.strictSame(printed.sort(), fields.map(stripIgnoredCharacters).sort(), name)
  }
})

t.test('@link', async (t) => {
  const [own, ...others] = text.match(/@link\(url:"https:\/\/specs\.apollo\.dev\/federation\/.+?\)/g) ?? []
  t.strictSame(others, [], 'one of the federation')
  t.match(own, /federation\/v2\.[0-3]"/)
  const known =
    'composeDirective extends external inaccessible interfaceObject key override provides requires shareable'
  const imports = [...own!.matchAll(/"@(\w+)"/g)].map(([, name]) => name)
  t.strictSame(
    imports.filter((name) => !`${known} tag`.split(' ').includes(name!)),
    [],
  )
})

t.test('@composeDirective', async (t) => {
  t.match(text, /@link\(url:"https:\/\/myspecs\.dev\/myCustomDirective\/v1\.0" import:\["@custom"\]\)/)
  t.match(text, /schema.*@composeDirective\(name:"@custom"\)/)
  t.match(text, /directive@custom on OBJECT/)
  t.match(text, /type Product@key.*@custom\{id:/)
})

t.test('@tag', async (t) => {
  t.notMatch(text, /@federation__/)
  t.match(text, /@tag\(name:"internal"\)/)
})

t.test('@key single: applies single field @key on User', async (t) => {
  t.match(text, /type User(@extends)?@key\(fields:"email"\)/)
})
t.test('@key single: resolves single field @key on User', async (t) => {
  const user = { __typename: 'User', email: 'support@apollographql.com' }
  t.match(await found([user], '... on User { email name }'), [{ email: user.email, name: 'Jane Smith' }])
})

t.test('@key multiple: applies multiple field @key on DeprecatedProduct', async (t) => {
  t.match(text, /type DeprecatedProduct@key\(fields:"sku package"/)
})
t.test('@key multiple: resolves multiple field @key on DeprecatedProduct', async (t) => {
  const key = { sku: 'apollo-federation-v1', package: '@apollo/federation-v1' }
  const rows = await found(
    [{ __typename: 'DeprecatedProduct', ...key }],
    '... on DeprecatedProduct { sku package reason }',
  )
  t.match(rows, [{ ...key, reason: 'Migrate to Federation V2' }])
})

t.test('@key composite: applies composite object @key on ProductResearch', async (t) => {
  t.match(text, /type ProductResearch@key\(fields:"study { caseNumber }"/)
})
t.test('@key composite: resolves composite object @key on ProductResearch', async (t) => {
  const research = { __typename: 'ProductResearch', study: { caseNumber: '1234' } }
  t.match(await found([research], '... on ProductResearch { study { caseNumber description } }'), [
    { study: { caseNumber: '1234', description: 'Federation Study' } },
  ])
})

t.test('repeatable @key: applies repeatable @key directive on Product', async (t) => {
  const keys = ['id', 'sku package', 'sku variation { id }'].map((fields) => `@key(fields:"${fields}")`)
  t.ok(text.includes(`type Product${keys.join('')}@custom{`))
})
t.test('repeatable @key: resolves multiple @key directives on Product', async (t) => {
  const rows = await found(
    [
      { __typename: 'Product', ...ID },
      { __typename: 'Product', sku: 'federation', package: '@apollo/federation' },
      { __typename: 'Product', sku: 'studio', variation: { id: 'platform' } },
    ],
    '... on Product { id sku }',
  )
  const federation = { ...ID, sku: 'federation' }
  t.match(rows, [federation, federation, { id: 'apollo-studio', sku: 'studio' }])
})

t.test('@requires', async (t) => {
  t.strictSame(await routedProduct('createdBy { averageProductsCreatedPerYear email }'), {
    createdBy: { averageProductsCreatedPerYear: 133, email: 'support@apollographql.com' },
  })
  gateway.sent.length = 0
  const { someone } = await routed('{ someone { email averageProductsCreatedPerYear } }', {})
  t.strictSame(someone, { email: 'support@apollographql.com', averageProductsCreatedPerYear: 0 })
  t.match(gateway.sent, [{ variables: { representations: [{ totalProductsCreated: 4, yearsOfEmployment: 10 }] } }])
})

t.test('@provides', async (t) => {
  const { createdBy } = await product('createdBy { email totalProductsCreated }')
  t.strictSame(createdBy, { email: 'support@apollographql.com', totalProductsCreated: 1337 })
})

t.test('@shareable: should return @shareable directives in _service sdl', async (t) => {
  t.match(text, /type ProductDimension@shareable/)
})
t.test('@shareable: should be able to resolve @shareable ProductDimension types', async (t) => {
  t.strictSame(await routedProduct('dimensions { size weight }'), { dimensions: { size: 'small', weight: 1 } })
  t.strictSame(await routedProduct('delivery(zip: "1") { estimated }'), {
    delivery: { estimated: '{"size":"small","weight":1}' },
  })
})

t.test('@override: should return @override directives in _service sdl', async (t) => {
  t.match(text, /@override\(from:"users"\)/)
})
t.test('@override: should return overridden user name', async (t) => {
  t.strictSame(await routedProduct('createdBy { name }'), { createdBy: { name: 'Jane Smith' } })
})

t.test('@inaccessible: should return @inaccessible directives in _service sdl', async (t) => {
  t.match(text, /unit:String@inaccessible/)
})
t.test('@inaccessible: should be able to query @inaccessible fields via the products schema directly', async (t) => {
  t.strictSame(await product('dimensions { unit }'), { dimensions: { unit: 'kg' } })
  await t.rejects(gateway.ask('{ product(id: "1") { dimensions { unit } } }'), { message: /Cannot query field "unit"/ })
})

t.test('@interfaceObject: verifies schema contains entity type marked as @interfaceObject', async (t) => {
  t.match(text, /type Inventory@interfaceObject@key\(fields:"id"\)/)
})
t.test('@interfaceObject: verifies @interfaceObject entity returns new fields', async (t) => {
  const asked = 'query ($id: ID!) { inventory(id: $id) { deprecatedProducts { sku reason } products { sku } } }'
  t.strictSame((await routed(asked, { id: 'apollo-oss' })).inventory, {
    deprecatedProducts: [{ sku: 'apollo-federation-v1', reason: 'Migrate to Federation V2' }],
    products: [{ sku: 'studio' }],
  })
})

t.test('ftv1', async (t) => {
  const headers = { 'apollo-federation-include-trace': 'ftv1' }
  const reply = await app.inject({ method: 'POST', url: '/graphql', headers, body: { query: '{ __typename }' } })
  const answer = reply.json<{ extensions: { ftv1: string } }>()
  t.strictSame(answer, { data: { __typename: 'Query' }, extensions: { ftv1: answer.extensions.ftv1 } })
  t.strictSame(decodeTrace(answer.extensions.ftv1).root.child, [], 'which is no field of the schema')
})
