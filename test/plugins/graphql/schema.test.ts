import { readFileSync, writeFileSync } from 'node:fs'
import {
  buildClientSchema,
  buildSchema,
  GraphQLObjectType,
  getIntrospectionQuery,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
  validateSchema,
} from 'graphql'
import t from 'tap'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { validationRules } from '../../../plugins/graphql/document/parse-document.ts'
import { createSchemaView } from '../../../plugins/graphql/schema/graphql-schema.ts'
import { serve } from './serve.ts'
import { field, linkShop, query, related, SHOP, withHash } from './shop.ts'

const GOLDEN = new URL('./shop.graphql', import.meta.url)

t.test('the schema in SDL is the golden one', (t) => {
  const sdl = `${printSchema(createSchemaView(linkShop(), true).full())}\n`
  if (process.env.SVC_UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, sdl)
  t.equal(sdl, readFileSync(GOLDEN, 'utf8'), 'SVC_UPDATE_GOLDEN=1 writes it again')
  t.end()
})

t.test('it is a valid schema by its own words', (t) => {
  const { full } = createSchemaView(linkShop(), true)
  t.strictSame(validateSchema(buildSchema(printSchema(full()))), [])
  t.end()
})

t.test('introspection tells the same', async (t) => {
  const served = await serve(t, {
    resolve: (_exchange, { template }) => {
      const [root] = template.roots
      return { data: `{"__schema":${root?.kind === 'literal' ? root.json : 'null'}}`, errors: null }
    },
  })
  const reply = await served.post({
    query: getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }),
  })
  const sdl = printSchema(lexicographicSortSchema(buildClientSchema(reply.json<{ data: never }>().data)))
  t.equal(sdl, printSchema(lexicographicSortSchema(createSchemaView(linkShop(), false).full())))
})

t.test('subscriptions are advertised only when a plugin serves them', (t) => {
  t.equal(createSchemaView(linkShop(), false).schema.getSubscriptionType(), undefined)
  t.equal(createSchemaView(linkShop(), true).schema.getSubscriptionType()?.name, 'Subscription')
  t.end()
})

t.test('the schema for validation agrees with the full one', (t) => {
  const { schema, full } = createSchemaView(linkShop(), true)
  for (const [name, type] of Object.entries(full().getTypeMap())) {
    if (!name.startsWith('__')) t.equal(schema.getType(name), type, name)
  }
  t.equal(schema.getType('Nope'), undefined)
  for (const name of ['Node', 'Named', 'Hit']) {
    const abstract = full().getType(name) as never
    t.strictSame(schema.getPossibleTypes(abstract), full().getPossibleTypes(abstract), name)
    for (const type of Object.values(full().getTypeMap())) {
      if (type instanceof GraphQLObjectType && !type.name.startsWith('__')) {
        t.equal(schema.isSubType(abstract, type), full().isSubType(abstract, type), `${type.name} in ${name}`)
      }
    }
  }
  t.end()
})

t.test('a document builds only the types that it names', (t) => {
  const names = Array.from({ length: 2000 }, (_, index) => `Type${index}`)
  const model = linkSchema(
    withHash({
      ...SHOP,
      types: names.map((name, index) => ({
        name,
        sql_source: 'v_user',
        fields: [
          field('id', 'ID!'),
          field('name', 'String!'),
          {
            ...related('next', `Type${(index + 1) % 2000}`, 'a', 'b'),
            read: { ...related('next', 'User', 'a', 'b').read!, target: 'v_user' } as never,
          },
        ],
      })),
      unions: [],
      mutations: [],
      subscriptions: [],
      queries: names.map((name) => query(`all_${name.toLowerCase()}`, `[${name}!]!`, { source: 'v_user' })),
    }),
  )
  const view = createSchemaView(model, false)
  t.strictSame(
    validate(
      view.schema,
      parse('query ($where: Type7WhereInput) { allType7(where: $where) { next { id } } }'),
      validationRules(true),
    ),
    [],
  )
  const untouched = view.schema
    .getQueryType()
    ?.getFields()
    .allType9?.args.find((argument) => argument.name === 'where')
  const lazy = (untouched?.type as unknown as { _fields: unknown } | undefined)?._fields
  t.type(lazy, 'function', 'the fields of TypeWhereInput of another type are not made')
  t.end()
})

t.test('thousands of types in a row do not overflow the stack', (t) => {
  const count = 20_000
  const model = linkSchema(
    withHash({
      ...SHOP,
      types: Array.from({ length: count }, (_, index) => ({
        name: `Type${index}`,
        fields: [field('id', 'ID!'), field('next', `Type${(index + 1) % count}`)],
      })),
      unions: [],
      mutations: [],
      subscriptions: [],
      queries: [query('first', 'Type0', { source: 'v_user' })],
    }),
  )
  t.ok(Object.keys(createSchemaView(model, false).full().getTypeMap()).length > count)
  t.end()
})
