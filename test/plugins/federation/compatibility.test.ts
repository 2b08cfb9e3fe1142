import { stripIgnoredCharacters } from 'graphql'
import t from 'tap'
import { createPglite } from '../../helpers/databases.ts'
import { type OtherSubgraph, openGateway } from './gateway.ts'
import { COMPOSED, entities, openSubgraph, PRODUCTS, PRODUCTS_SQL } from './products.ts'

/** What the compatibility tests of the specification ask a subgraph of products, of itself and behind a gateway. */
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
const app = await openSubgraph(t, database, PRODUCTS, { compose_directives: [COMPOSED] })
const gateway = await openGateway(t, app, { users, inventory })
const ID = { id: 'apollo-federation' }
const sdl = stripIgnoredCharacters((await app.graphql('{ _service { sdl } }')).data._service.sdl)

t.test('the SDL: what the specification looks for in it', async (t) => {
  for (const pattern of [
    /schema.*@composeDirective\(name:"@custom"\)/,
    /@link\(url:"https:\/\/myspecs.dev\/myCustomDirective\/v1.0" import:\["@custom"\]\)/,
    /@link\(url:"https:\/\/specs.apollo.dev\/federation\/v2\.[0-3]"/,
    /directive@custom on OBJECT/,
    /type Product.*@custom.*\{/,
    /unit:String@inaccessible/,
    /type Inventory.*@interfaceObject/,
    /type Inventory.*@key\(fields:"id"\)/,
    /type User(@extends)?@key\(fields:"email"\)/,
    /type DeprecatedProduct@key\(fields:"sku package"/,
    /type ProductResearch@key\(fields:"study { caseNumber }"/,
    /type Product.*@key\(fields:"id"\).*\{/,
    /type Product.*@key\(fields:"sku package"\).*variation/,
    /type Product.*@key\(fields:"sku variation { id }"\).*\{/,
    /@override\(from:"users"\)/,
    /type ProductDimension@shareable/,
    /@tag\(name:"internal"\)/,
    /type Query\{/,
  ]) {
    t.match(sdl, pattern)
  }
  t.equal(sdl.match(/specs\.apollo\.dev\/federation/g)?.length, 1)
  t.notMatch(sdl, /@federation__/)
})

t.test('asked by itself', async (t) => {
  const product = async (selection: string) => app.graphql(`query ($id: ID!) { product(id: $id) { ${selection} } }`, ID)
  t.match((await product('dimensions { unit }')).data, { product: { dimensions: { unit: 'kg' } } })
  const { data } = await product('createdBy { email totalProductsCreated }')
  t.match(data.product.createdBy, { email: 'support@apollographql.com', totalProductsCreated: 1337 })
  const user = { __typename: 'User', email: 'support@apollographql.com' }
  t.match((await entities(app, [user], '... on User { email name }')).rows, [{ name: 'Jane Smith' }])
})

t.test('behind a gateway', async (t) => {
  const ask = async (selection: string) => {
    const { data, errors } = await gateway.ask(`query ($id: ID!) { product(id: $id) { ${selection} } }`, ID)
    t.strictSame(errors, undefined)
    return data.product
  }
  t.strictSame(await ask('createdBy { averageProductsCreatedPerYear email }'), {
    createdBy: { averageProductsCreatedPerYear: 133, email: 'support@apollographql.com' },
  })
  t.strictSame(await ask('createdBy { name }'), { createdBy: { name: 'Jane Smith' } }, 'override')
  t.strictSame(await ask('dimensions { size weight }'), { dimensions: { size: 'small', weight: 1 } })
  t.strictSame(await ask('delivery(zip: "1") { estimated }'), {
    delivery: { estimated: '{"size":"small","weight":1}' },
  })
  gateway.sent.length = 0
  const average = await gateway.ask('{ someone { email averageProductsCreatedPerYear } }')
  t.strictSame(average.data, { someone: { email: 'support@apollographql.com', averageProductsCreatedPerYear: 0 } })
  t.match(gateway.sent, [{ variables: { representations: [{ totalProductsCreated: 4, yearsOfEmployment: 10 }] } }])
  const asked = 'query ($id: ID!) { inventory(id: $id) { deprecatedProducts { sku reason } products { sku } } }'
  const { data, errors } = await gateway.ask(asked, { id: 'apollo-oss' })
  t.strictSame(errors, undefined)
  t.strictSame(data.inventory, {
    deprecatedProducts: [{ sku: 'apollo-federation-v1', reason: 'Migrate to Federation V2' }],
    products: [{ sku: 'studio' }],
  })
})
