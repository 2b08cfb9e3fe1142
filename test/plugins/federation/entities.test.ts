import t from 'tap'
import { eachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import type { TestLike } from '../../helpers/services.ts'
import { COMPOSED, entities, openSubgraph, PRODUCTS, PRODUCTS_SQL, PRODUCTS_SQLITE } from './products.ts'

const suite = async (t: TestLike, database: TestDatabase): Promise<void> => {
  const app = await openSubgraph(t, database, PRODUCTS, { compose_directives: [COMPOSED] })

  // proves: type.key_fields type.keys type.extends type.interface_object field.external field.provides
  await t.test('keys: single, of several parts, of an object, several of one type', async (t) => {
    const { rows, errors } = await entities(
      app,
      [
        { __typename: 'Product', id: 'apollo-federation' },
        { __typename: 'User', email: 'support@apollographql.com' },
        { __typename: 'Product', sku: 'studio', variation: { id: 'platform' } },
        { __typename: 'DeprecatedProduct', sku: 'apollo-federation-v1', package: '@apollo/federation-v1' },
        { __typename: 'Product', sku: 'federation', package: '@apollo/federation' },
        { __typename: 'Product', id: 'nothing' },
        { __typename: 'ProductResearch', study: { caseNumber: '1234' } },
        { __typename: 'Product', id: 'apollo-federation' },
        { __typename: 'DeprecatedProduct', sku: 'apollo-federation-v1', package: 'other' },
        { __typename: 'Inventory', id: 'apollo-oss' },
      ],
      `... on Product { id sku dimensions { unit } createdBy { email totalProductsCreated yearsOfEmployment: name } }
       ... on User { email name } ... on DeprecatedProduct { reason } ... on Inventory { deprecatedProducts { sku } }
       ... on ProductResearch { study { caseNumber description } outcome }`,
    )
    t.same(errors, undefined)
    const createdBy = {
      email: 'support@apollographql.com',
      totalProductsCreated: 1337,
      yearsOfEmployment: 'Jane Smith',
    }
    const product = (id: string, sku: string) => ({
      __typename: 'Product',
      id,
      sku,
      dimensions: { unit: 'kg' },
      createdBy,
    })
    t.strictSame(rows, [
      product('apollo-federation', 'federation'),
      { __typename: 'User', email: 'support@apollographql.com', name: 'Jane Smith' },
      product('apollo-studio', 'studio'),
      { __typename: 'DeprecatedProduct', reason: 'Migrate to Federation V2' },
      product('apollo-federation', 'federation'),
      null,
      {
        __typename: 'ProductResearch',
        study: { caseNumber: '1234', description: 'Federation Study' },
        outcome: 'good',
      },
      product('apollo-federation', 'federation'),
      null,
      { __typename: 'Inventory', deprecatedProducts: [{ sku: 'apollo-federation-v1' }] },
    ])
  })

  // proves: field.requires field.sql
  await t.test('required fields come with each representation', async (t) => {
    const user = { __typename: 'User', email: 'support@apollographql.com' }
    const { rows, errors } = await entities(
      app,
      [
        { ...user, totalProductsCreated: 1337, yearsOfEmployment: 10 },
        { ...user, totalProductsCreated: 9, yearsOfEmployment: 3 },
        { ...user, totalProductsCreated: null, yearsOfEmployment: 3 },
        { ...user, totalProductsCreated: 9, yearsOfEmployment: 0 },
        { ...user, totalProductsCreated: 'many', yearsOfEmployment: 3 },
        { ...user, email: 'gone@example.com', totalProductsCreated: 9, yearsOfEmployment: 3 },
      ],
      '... on User { name averageProductsCreatedPerYear }',
    )
    const of = (averageProductsCreatedPerYear: number | null) => ({
      __typename: 'User',
      name: 'Jane Smith',
      averageProductsCreatedPerYear,
    })
    t.strictSame(rows, [of(133), of(3), of(null), of(null), null, null])
    t.match(errors, [
      { path: ['_entities', 4], extensions: { code: 'BAD_USER_INPUT' }, message: /"totalProductsCreated": / },
    ])
    const elsewhere = await app.graphql(
      '{ product(id: "apollo-federation") { createdBy { averageProductsCreatedPerYear } } }',
    )
    t.strictSame(
      elsewhere.data,
      { product: { createdBy: { averageProductsCreatedPerYear: null } } },
      'without it: null',
    )
  })

  await t.test('one that is wrong is an error of its own', async (t) => {
    const wrong = [
      { __typename: 'Prodct', id: 'x' },
      'apollo-federation',
      { id: 'x' },
      { __typename: 'Product' },
      { __typename: 'Product', sku: 'federation' },
      { __typename: 'Product', id: { a: 1 } },
      { __typename: 'Product', id: null },
      { __typename: 'ProductDimension', size: 'small' },
      null,
      { __typename: '__proto__', id: 'x' },
      { __typename: 'Product', sku: 'studio', variation: 'platform' },
    ]
    const good = { __typename: 'Product', id: 'apollo-studio' }
    const query = `query ($all: [_Any]!) { found: _entities(representations: $all) { ... on Product { sku } } }`
    const nullable = await app.graphql(query, { all: [good] })
    t.match(nullable.errors, [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }], 'null is no representation')
    const all = [...wrong.filter((one) => one !== null), good]
    const { data, errors = [] } = await app.graphql(query.replace('[_Any]!', '[_Any!]!'), { all })
    t.strictSame(data.found, [...Array(10).fill(null), { sku: 'studio' }])
    t.strictSame(
      errors.map(({ path, message }) => [...(path ?? []), message]),
      [
        ['found', 0, 'Representation 0: "Prodct" is no entity here. Did you mean "Product"?'],
        ['found', 1, 'Representation 1: it is no object with "__typename" and the fields of a key.'],
        ['found', 2, 'Representation 2: "__typename" is missing, the name of an entity.'],
        [
          'found',
          3,
          'Representation 3: it has no key of Product. Its keys are id; or sku, package; or sku, variation.id.',
        ],
        [
          'found',
          4,
          'Representation 4: it has no key of Product. Its keys are id; or sku, package; or sku, variation.id.',
        ],
        ['found', 5, errors[5]?.message],
        ['found', 6, errors[6]?.message],
        [
          'found',
          7,
          'Representation 7: "ProductDimension" is no entity here. Entities: Product, DeprecatedProduct, ProductResearch, User, Inventory.',
        ],
        [
          'found',
          8,
          'Representation 8: "__proto__" is no entity here. Entities: Product, DeprecatedProduct, ProductResearch, User, Inventory.',
        ],
        [
          'found',
          9,
          'Representation 9: it has no key of Product. Its keys are id; or sku, package; or sku, variation.id.',
        ],
      ],
    )
    t.match(
      [errors[5], errors[6]],
      [{ message: /^Representation 5: "id": / }, { message: /^Representation 6: "id": / }],
    )
  })
}

await eachDatabase(t, suite, { sql: PRODUCTS_SQL, sqlite: { sql: PRODUCTS_SQLITE } })
