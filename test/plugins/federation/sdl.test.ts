import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPglite } from '../../helpers/databases.ts'
import type { TestLike } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { COMPOSED, openSubgraph, PRODUCTS, PRODUCTS_SQL } from './products.ts'

/** What `_service` tells routers, and that the composition library takes it. */
const createProducts = async (t: TestLike) =>
  ({ kind: 'pglite', url: await createPglite(t, { sql: PRODUCTS_SQL }) }) as const
async function sdlOf(
  t: TestLike,
  schema: AuthoredSchema,
  options?: Parameters<typeof openSubgraph>[3],
): Promise<string> {
  const app = await openSubgraph(t, await createProducts(t), schema, options)
  return (await app.graphql('{ _service { sdl } }')).data._service.sdl
}

const USERS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type User @key(fields: "email") { email: ID! name: String totalProductsCreated: Int @shareable yearsOfEmployment: Int! }
  type Query { users: [User!]! }`
const INVENTORY = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  interface Inventory @key(fields: "id") { id: ID! }
  type Open implements Inventory @key(fields: "id") { id: ID! }
  type Query { inventory(id: ID!): Inventory }`

function composed(services: Readonly<Record<string, string>>) {
  const list = Object.entries(services).map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) }))
  const { errors, supergraphSdl } = composeServices(list)
  return { errors: errors?.map(({ message }) => message), supergraph: supergraphSdl ?? '' }
}

// proves: type.directives type.shareable field.override field.inaccessible field.tags
t.test('the directives of the schema, and a link to those that are used', async (t) => {
  const sdl = await sdlOf(t, PRODUCTS, { compose_directives: [COMPOSED] })
  const names =
    'composeDirective extends external inaccessible interfaceObject key override provides requires shareable tag'
  const imports = JSON.stringify(names.split(' ').map((name) => `@${name}`))
  t.match(
    sdl,
    `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.3", import: ${imports})
  @link(url: "https://myspecs.dev/myCustomDirective/v1.0", import: ["@custom"])
  @composeDirective(name: "@custom")

directive @custom on OBJECT
`,
  )
  for (const line of [
    'type Product @key(fields: "id") @key(fields: "sku package") @key(fields: "sku variation { id }") @custom {',
    'type ProductResearch @key(fields: "study { caseNumber }") {',
    'type User @extends @key(fields: "email") {',
    'type Inventory @interfaceObject @key(fields: "id") {',
    'type ProductDimension @shareable {',
    '  unit: String @inaccessible',
    '  notes: String @tag(name: "internal")',
    '  name: String @override(from: "users")',
    '  createdBy: User @provides(fields: "totalProductsCreated")',
    '  yearsOfEmployment: Int! @external',
    '  averageProductsCreatedPerYear: Int @requires(fields: "totalProductsCreated yearsOfEmployment")',
  ]) {
    t.ok(sdl.includes(line), line)
  }
  t.notMatch(sdl, /_Any|_Entity|_Service|_entities|_service/)
  const { errors, supergraph } = composed({ products: sdl, users: USERS, inventory: INVENTORY })
  t.strictSame(errors, undefined)
  t.match(supergraph, /directive @custom on OBJECT/)
})

// proves: type.resolvable type.inaccessible type.tags field.shareable
t.test('rights are printed, the version follows from what is used', async (t) => {
  const schema: AuthoredSchema = {
    version: '1',
    types: [
      {
        name: 'User',
        key_fields: ['email'],
        relay: false,
        fields: [
          { name: 'email', type: 'ID!', requires_scope: 'read:a read:b' },
          { name: 'name', type: 'String', tags: ['a/b', 'c'], shareable: true },
        ],
      },
      {
        name: 'Product',
        key_fields: ['id'],
        resolvable: false,
        inaccessible: true,
        tags: ['t'],
        fields: [{ name: 'id', type: 'ID!' }],
      },
    ],
    queries: [
      { name: 'users', type: '[User!]!', authenticated: true },
      { name: 'products', type: '[Product!]!', requires_scope: 'p' },
    ],
  }
  const sdl = await sdlOf(t, schema)
  t.match(
    sdl,
    '@link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@authenticated","@inaccessible","@key","@requiresScopes","@shareable","@tag"])',
  )
  t.match(sdl, 'email: ID! @requiresScopes(scopes: [["read:a", "read:b"]])')
  t.match(sdl, 'name: String @shareable @tag(name: "a/b") @tag(name: "c")')
  t.match(sdl, /users\([^)]*\): \[User!\]! @authenticated/)
  t.match(sdl, 'type Product @key(fields: "id", resolvable: false) @inaccessible @tag(name: "t")')
  const USED =
    'type Query { one: Int } extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"]) type Product @key(fields: "id") { id: ID! }'
  t.strictSame(composed({ one: sdl, two: USED }).errors, undefined, 'a query of what is not accessible is not either')
  const plain = await sdlOf(t, schema, { authorization_directives: false })
  t.notMatch(plain, /@authenticated|@requiresScopes/)
  t.match(plain, 'federation/v2.3"')
})

t.test('a schema without entities is a subgraph, and has no _entities', async (t) => {
  const schema = tableSchema({ name: 'User', list: 'users', fields: { email: 'ID!' } })
  const app = await openSubgraph(t, await createProducts(t), schema)
  const { data } = await app.graphql('{ _service { sdl } __type(name: "Query") { fields { name } } }')
  t.match(
    data._service.sdl,
    /^extend schema\n {2}@link\(url: "https:\/\/specs.apollo.dev\/federation\/v2.3"\)\n\ntype Query \{/,
  )
  t.strictSame(
    data.__type.fields.map(({ name }: { name: string }) => name),
    ['users', '_service'],
  )
  t.strictSame(composed({ one: data._service.sdl }).errors, undefined)
})
