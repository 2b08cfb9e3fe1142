import { executeSync, getIntrospectionQuery, Kind, type OperationDefinitionNode, parse } from 'graphql'
import t from 'tap'
import { linkSchema } from '../../../core/schema/link/link.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import { prepareIntrospection } from '../../../plugins/graphql/document/introspect.ts'
import { writeIntrospection } from '../../../plugins/graphql/document/write-introspection.ts'
import { createSchemaView, type SchemaView } from '../../../plugins/graphql/schema/graphql-schema.ts'
import { field, linkShop, query, SHOP, withHash } from './shop.ts'

const PLAIN: SchemaModel = linkSchema(
  withHash({
    ...SHOP,
    types: [
      { name: 'A', sql_source: 'v_user', description: 'quotes " \\ \n, ü, \u2028', fields: [field('id', 'ID!')] },
    ],
    interfaces: [],
    unions: [],
    input_types: [],
    mutations: [],
    subscriptions: [],
    queries: [query('all_a', '[A!]!', { source: 'v_user' })],
  }),
)
const VIEWS: readonly (readonly [name: string, view: SchemaView])[] = [
  ['shop', createSchemaView(linkShop(), true)],
  ['shop without subscriptions', createSchemaView(linkShop(), false)],
  ['one type', createSchemaView(PLAIN, false)],
]

const WHOLE = getIntrospectionQuery({
  specifiedByUrl: true,
  inputValueDeprecation: true,
  oneOf: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
})
const DOCUMENTS: readonly (readonly [text: string, variables?: Readonly<Record<string, unknown>>])[] = [
  [WHOLE],
  [getIntrospectionQuery({ descriptions: false })],
  ['{ __schema { __typename a: types { b: name __typename name } types { kind } a: types { fields { name } } } }'],
  ['{ a: __type(name: "User") { ...T ...T } b: __type(name: "Nope") { name } } fragment T on __Type { name kind }'],
  ['{ __type(name: "User") { ... on __Type { fields { name } } ... { description } ... on User { id } } }'],
  ['{ __type(name: "User") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }'],
  [
    '{ __type(name: "User") { a: fields(includeDeprecated: false) { name } b: fields(includeDeprecated: null) { name } } }',
  ],
  ['{ __type(name: "Status") { enumValues { name } all: enumValues(includeDeprecated: true) { name description } } }'],
  [
    'query ($n: String!, $d: Boolean = true) { __type(name: $n) { fields(includeDeprecated: $d) { name } } }',
    { n: 'User' },
  ],
  [
    'query ($y: Boolean!, $n: Boolean!) { __type(name: "Hit") { name @skip(if: $y) kind @include(if: $n) possibleTypes { name } } }',
    { y: true, n: false },
  ],
  ['query ($y: Boolean!) { __type(name: "Hit") { name @skip(if: $y) } }', { y: true }],
  [
    '{ __type(name: "NewUser") { inputFields { name defaultValue type { name ofType { name ofType { name } } } } isOneOf } }',
  ],
  [
    '{ __schema { directives { name isRepeatable locations args { name defaultValue } } queryType { interfaces { name } } } }',
  ],
  ['{ __schema { __proto: description types { ofType { ofType { ofType { name } } } possibleTypes { name } } } }'],
]

function partsOf(text: string) {
  const { definitions } = parse(text)
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode
  const fields = new Map(
    operation.selectionSet.selections.map((each) => {
      if (each.kind !== Kind.FIELD) throw new Error('a field')
      return [(each.alias ?? each.name).value, [each]] as const
    }),
  )
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  )
  return { operation, fields, fragments }
}

t.test('the answer is byte for byte the one of the executor', async (t) => {
  for (const [name, view] of VIEWS) {
    for (const [text, variables = {}] of DOCUMENTS) {
      const { operation, fields, fragments } = partsOf(text)
      const { data, errors } = executeSync({ schema: view.full(), document: parse(text), variableValues: variables })
      t.equal(errors, undefined, text)
      const written = prepareIntrospection(view, operation, fragments, fields).run(variables)
      const whole = [...written].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')
      t.equal(`{${whole}}`, JSON.stringify(data), `${name}: ${text.slice(0, 100)}`)
    }
  }
})

t.test('a wrong variable is the error of the executor', async (t) => {
  const { operation, fields, fragments } = partsOf('query ($n: String!) { __type(name: $n) { name } }')
  const { run } = prepareIntrospection(VIEWS[0]![1], operation, fragments, fields)
  for (const variables of [{}, { n: null }, { n: 5 }]) t.throws(() => run(variables), { message: /Variable "\$n"/ })
})

t.test('the selection of a named type is read once for all fields that lead to it', async (t) => {
  const schema = createSchemaView(linkShop(), true).full()
  const type = schema.getType('String')!
  let reads = 0
  const { name } = type
  Object.defineProperty(type, 'name', {
    configurable: true,
    get() {
      reads++
      return name
    },
  })
  t.teardown(() => Object.defineProperty(type, 'name', { configurable: true, writable: true, value: name }))
  const { fields, fragments } = partsOf(
    '{ __schema { types { fields(includeDeprecated: true) { args { type { name } } } } } }',
  )
  writeIntrospection({ schema, fragments, variables: {} }, fields)
  t.ok(reads <= 1, `${reads} reads`)
})

t.test('a selection that is nested deeper than the types are is written', async (t) => {
  const deep = `{ __schema { types { ${'ofType { '.repeat(500)} name ${'}'.repeat(500)} } } }`
  const { operation, fields, fragments } = partsOf(deep)
  const [, view] = VIEWS[0]!
  const { data } = executeSync({ schema: view.full(), document: parse(deep) })
  t.equal(
    prepareIntrospection(view, operation, fragments, fields).run({}).get('__schema'),
    JSON.stringify(data?.__schema),
  )
})
