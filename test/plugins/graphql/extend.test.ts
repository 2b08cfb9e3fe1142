import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import { type TestPluginOptions, testPlugin } from '../../../core/testing/testing.ts'
import type { ExtensionRoot, GraphQLExtension } from '../../../plugins/graphql/api.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'
import { failure, plugin } from '../../helpers/kernel.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const TYPES = `
  "A label."
  type Label implements Named { text: String! weight: Float kind: Kind! inner: Label tags: [String!] book: Book }
  type Other implements Named { text: String! }
  interface Named { text: String! }
  union Thing = Label | Other
  enum Kind { GOOD BAD @deprecated(reason: "none is") }
  input Want { text: String! = "x" kinds: [Kind!] inner: Want }
  scalar Anything
`
const label = { text: 'a', weight: 1.5, kind: 'GOOD', inner: { text: 'b', kind: 'BAD' }, tags: ['x'] }

const roots: readonly ExtensionRoot[] = [
  {
    kind: 'query',
    field: 'labels(text: String, limit: Int! = 2): [Label!]!',
    resolve: (_ctx, args) => [{ ...label, text: JSON.stringify(args) }],
  },
  { kind: 'query', field: 'label: Label', resolve: async () => label },
  {
    kind: 'query',
    field: 'things: [Thing]',
    resolve: () => [{ __typename: 'Other', text: 'o' }, { ...label, __typename: 'Label' }, { __typename: 'Nothing' }],
  },
  { kind: 'query', field: 'named: Named', resolve: () => ({ ...label, __typename: 'Label' }) },
  { kind: 'query', field: 'echo(want: Want, any: Anything): Anything', resolve: (_ctx, args) => args },
  { kind: 'query', field: 'broken: Label', resolve: () => ({ text: 7, kind: 'UGLY' }) },
  { kind: 'query', field: 'strict: Int!', resolve: () => null },
  { kind: 'query', field: 'throws: Int', resolve: () => Promise.reject(new SvcError('CONFLICT', 'Not now.')) },
  { kind: 'query', field: 'bug: Int', resolve: () => JSON.parse('{') },
  { kind: 'query', field: 'secret: Int', guard: { requiresRole: ['admin'] }, resolve: () => 42 },
  {
    kind: 'mutation',
    field: 'relabel(want: Want!): Int',
    resolve: (_ctx, { want }) => (want as { text: string }).text.length,
  },
]

const schema = compileFixture(
  tableSchema({ name: 'Book', sql_source: 'v_book', list: 'books', fields: { id: 'ID!', shelf_mark: 'String' } }),
  null,
)

const extend = (extension: GraphQLExtension, name = 'labels') =>
  plugin(name, (scope: Scope) => scope.use('graphql').extend(name, extension), { dependencies: ['graphql'] })

async function start(extension: GraphQLExtension = { roots, types: TYPES }, options: TestPluginOptions = {}) {
  const tested = await testPlugin(extend(extension), { dependencies: [graphql], schema, ...options })
  return {
    tested,
    // biome-ignore lint/suspicious/noExplicitAny: a response of any shape
    async ask(query: string, variables?: object): Promise<any> {
      const reply = await tested.inject({ url: '/graphql', body: { query, variables } })
      return reply.json()
    },
  }
}

t.test('a root with types of its own: selected, renamed, nested, merged in order', async (t) => {
  const { tested, ask } = await start()
  const { data, errors } = await ask(`{
    __typename
    one: label { ...F inner { text inner { text } } }
    labels(text: "q") { text __typename }
    named { text ... on Label { kind } ... on Other { text } }
  } fragment F on Label { w: weight kind tags }`)
  t.equal(errors, undefined)
  t.same(data, {
    __typename: 'Query',
    one: { w: 1.5, kind: 'GOOD', tags: ['x'], inner: { text: 'b', inner: null } },
    labels: [{ text: '{"text":"q","limit":2}', __typename: 'Label' }],
    named: { text: 'a', kind: 'GOOD' },
  })
  t.same(Object.keys(data), ['__typename', 'one', 'labels', 'named'])
  await tested.close()
})

t.test('arguments: inputs, enums and scalars of its own, defaults, variables', async (t) => {
  const { tested, ask } = await start()
  const query =
    'query($w: Want, $k: [Kind!], $a: Anything) { a: echo(want: $w, any: $a) b: echo(want: { kinds: $k, inner: { text: "i" } }) }'
  t.same(await ask(query, { w: { text: 't', kinds: ['BAD'] }, k: ['GOOD'], a: [1] }), {
    data: {
      a: { want: { text: 't', kinds: ['BAD'] }, any: [1] },
      b: { want: { text: 'x', kinds: ['GOOD'], inner: { text: 'i' } } },
    },
  })
  const bad = await ask(query, { w: { text: 't', kinds: ['WORST'] } })
  t.match(bad.errors, [{ extensions: { code: 'BAD_USER_INPUT' } }])
  t.match((await ask('{ labels(text: 7) { text } }')).errors, [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  t.match((await ask('{ label { colour } }')).errors[0].message, 'Cannot query field "colour" on type "Label"')
  t.match((await ask('{ labl { text } }')).errors[0].message, 'Did you mean "label"?')
  await tested.close()
})

t.test('a union by __typename; a value that does not fit is an error of its place', async (t) => {
  const { tested, ask } = await start()
  const things = await ask('{ things { __typename ... on Label { text } ... on Other { t: text } } }')
  t.same(things.data, { things: [{ __typename: 'Other', t: 'o' }, { __typename: 'Label', text: 'a' }, null] })
  t.match(things.errors, [{ path: ['things', 2], extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
  t.match(await ask('{ broken { text } }'), { data: { broken: null }, errors: [{ path: ['broken', 'text'] }] })
  t.match(await ask('{ broken { kind } }'), { data: { broken: null }, errors: [{ path: ['broken', 'kind'] }] })
  t.match(await ask('{ strict label { text } }'), { data: null, errors: [{ path: ['strict'] }] })
  t.match(await ask('{ throws label { text } }'), {
    data: { throws: null, label: { text: /^a$/ } },
    errors: [{ message: 'Not now.', path: ['throws'], extensions: { code: 'CONFLICT' } }],
  })
  t.match(await ask('{ bug }'), {
    data: { bug: null },
    errors: [{ message: 'An internal error occurred.', path: ['bug'] }],
  })
  t.equal(tested.takeReported().length, 5, 'and the log has the reasons')
  await tested.close()
})

t.test('its guard is checked with all others, before anything runs', async (t) => {
  const { tested, ask } = await start(undefined, { dependencies: [graphql, plugin('scopes')] })
  t.match((await ask('{ secret }')).errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
  t.match(await ask('{ label { text } }'), { data: { label: { text: /^a$/ } } })
  await tested.close()
})

t.test('a mutation of its own', async (t) => {
  const { tested, ask } = await start()
  t.same(await ask('mutation { a: relabel(want: { text: "four" }) __typename b: relabel(want: {}) }'), {
    data: { a: 4, __typename: 'Mutation', b: 1 },
  })
  await tested.close()
})

t.test('introspection and SDL show all of it; directives are known', async (t) => {
  const { tested, ask } = await start({
    roots,
    types: TYPES,
    directives: 'directive @shout(loud: Boolean = true) on FIELD',
  })
  const { data } = await ask(`{
    type: __type(name: "Label") { description fields { name type { kind } } interfaces { name } }
    kinds: __type(name: "Kind") { enumValues(includeDeprecated: true) { name deprecationReason } }
    __schema { directives { name } queryType { fields { name } } }
  }`)
  t.match(data.type, { description: 'A label.', interfaces: [{ name: 'Named' }] })
  t.same(data.kinds.enumValues[1], { name: 'BAD', deprecationReason: 'none is' })
  t.ok(data.__schema.directives.some(({ name }: { name: string }) => name === 'shout'))
  t.ok(data.__schema.queryType.fields.some(({ name }: { name: string }) => name === 'labels'))
  t.match(await ask('{ label { text @shout } }'), { data: { label: { text: /^a$/ } } })
  t.match((await ask('{ label { text @shut } }')).errors[0].message, 'Unknown directive')
  await tested.close()
})

t.test('SDL of a compile part stands in the schema', async (t) => {
  const compiled = { ...schema.compiled, plugins: { labels: { sdl: 'type Label { text: String! }' } } }
  const field = { kind: 'query', field: 'label: Label', resolve: () => label } as const
  const { tested, ask } = await start({ roots: [field] }, { schema: { ...schema, compiled } })
  t.same(await ask('{ label { text } }'), { data: { label: { text: 'a' } } })
  await tested.close()
})

t.test('an extension that does not fit the schema is refused by name at boot', async (t) => {
  const root = (field: string, kind = 'query') => ({ roots: [{ kind, field, resolve: () => null } as ExtensionRoot] })
  const wrong: readonly (readonly [GraphQLExtension, RegExp])[] = [
    [{ types: 'type {' }, /"labels" adds to the GraphQL schema cannot be read: Syntax Error/],
    [{ types: 'type Book { id: ID }' }, /has the type "Book", which the schema has already/],
    [{ types: 'type Query { id: ID }' }, /has the type "Query"/],
    [{ types: 'type A { b: Bok }' }, /names the type "Bok", which does not exist\. Did you mean "Book"\?/],
    [{ types: 'input A { b: Book }' }, /has the result type Book where an input stands/],
    [{ types: 'type A { b: BookWhereInput }' }, /has the input BookWhereInput where a result stands/],
    [{ types: 'type A { b(c: Int): Int }' }, /gives A\.b arguments; only root fields can have any/],
    [{ types: 'type A implements Book { id: ID }' }, /implements "Book", which is no interface that a plugin adds/],
    [{ types: 'enum E { A } union U = E' }, /has E in the union U/],
    [{ types: 'extend type Book { x: Int }' }, /holds ObjectTypeExtension; it can define/],
    [root('books: Int'), /has the query "books", which the schema has already/],
    [root('a: Int b: Int'), /has a root that is 2 fields: a, b/],
    [root('a: Int', 'subscription'), /has a root of the kind "subscription"; kinds: query, mutation/],
    [root('a: Nope'), /names the type "Nope"/],
  ]
  for (const [extension, message] of wrong) {
    const error = await failure(() => testPlugin(extend(extension), { dependencies: [graphql], schema }))
    t.match(error, { code: 'SVC_BOOT_FAILED', message })
  }
  const twins = await failure(() =>
    testPlugin(extend({ types: 'scalar A', ...root('a: A') }), {
      dependencies: [graphql, extend(root('a: Int'), 'first')],
      schema,
    }),
  )
  t.match(twins.message, /plugin "labels" adds .* the query "a", which plugin "first" has already/)
  const late = await testPlugin(
    plugin(
      'late',
      (scope) => {
        const api = scope.use('graphql')
        scope.onReady(() => api.extend('late', {}))
      },
      { dependencies: ['graphql'] },
    ),
    { dependencies: [graphql] },
  ).catch((error) => error)
  t.match(late.message, /"late" extends the GraphQL schema after its set-up/)
})

t.test('graphql:prepared: once per valid document; a throw refuses it', async (t) => {
  const seen: string[] = []
  let away = true
  const store = plugin(
    'store',
    (scope) =>
      scope.on('graphql:prepared', async ({ text, document, generation }) => {
        seen.push(`${text} ${document.definitions.length} ${generation.id}`)
        if (text.includes('label')) throw new SvcError('FORBIDDEN', 'No labels.')
        if (text.includes('named') && away) throw new Error('the store is away')
      }),
    { dependencies: ['graphql'] },
  )
  const { tested, ask } = await start({ roots, types: TYPES }, { dependencies: [graphql, store] })
  const [one, two] = await Promise.all([ask('{ strict: secret }'), ask('{ throws }'), ask('{ throws }')])
  t.ok(one.errors && two.errors)
  t.same(seen.splice(0).sort(), ['{ strict: secret } 1 1', '{ throws } 1 1'])
  await ask('{ nothing }')
  t.same(seen, [], 'what fails validation is not told')
  for (const _ of [1, 2]) t.match(await ask('{ label { text } }'), { errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  t.equal(seen.splice(0).length, 1, 'what was refused stays refused')
  t.match(await ask('{ named { text } }'), { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
  away = false
  t.match(await ask('{ named { text } }'), { data: { named: { text: /^a$/ } } })
  t.equal(seen.length, 2, 'a listener that was away is asked again')
  tested.takeReported()
  await tested.close()
})
