import t, { type Test } from 'tap'
import graphql from '../../../plugins/graphql/index.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import type { QueryLimits } from '../../../plugins/query-limits/options.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { linkShop } from '../graphql/shop.ts'

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[]
}

/** The limits over the shop; `ran` counts the operations that reached the engine. */
async function start(t: Test, options: Partial<QueryLimits> = {}) {
  let ran = 0
  const tested = await openPlugin(t, queryLimits, {
    dependencies: [graphql],
    options,
    schema: linkShop(),
    resolve() {
      ran++
      return { data: '{}', errors: null }
    },
  })
  const ask = async (query: string): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    return (await tested.inject({ method: 'POST', url: '/graphql', headers, body: { query } })).json<Answer>()
  }
  const refused = async (query: string): Promise<unknown> => {
    const before = ran
    const { errors } = await ask(query)
    t.equal(ran, before, 'the engine is not asked')
    t.equal(errors?.[0]?.extensions.code, 'VALIDATION_ERROR', query)
    t.equal(errors?.[0]?.extensions.statusCode, 400)
    return errors?.[0]?.extensions.setting
  }
  const passes = async (query: string): Promise<void> => {
    const before = ran
    t.equal((await ask(query)).errors, undefined, query)
    t.equal(ran, before + 1)
  }
  return { tested, ask, refused, passes }
}

const nest = (levels: number, inner = 'id') =>
  `{ user(id: "1") ${'{ boss '.repeat(levels - 2)}{ ${inner} }${' }'.repeat(levels - 2)} }`

// proves: validation.max_query_depth
t.test('depth: the default is 10 levels, through fragments, whatever is skipped', async (t) => {
  const { ask, refused, passes } = await start(t)
  await passes(nest(10))
  t.equal(await refused(nest(11)), 'validation.max_query_depth')
  t.match(
    (await ask(nest(11))).errors?.[0]?.message,
    'The operation is nested deeper than 10 levels (validation.max_query_depth).',
  )
  await passes(nest(10, 'id __typename'))
  const inFragment = (levels: number) =>
    `query Q { user(id: "1") { ...A } } fragment A on User { boss { ...B } } fragment B on User ${'{ boss '.repeat(levels - 3)}{ id }${' }'.repeat(levels - 3)}`
  await passes(inFragment(10))
  t.equal(await refused(inFragment(11)), 'validation.max_query_depth')
  t.equal(await refused(nest(11, 'id @skip(if: true)')), 'validation.max_query_depth')
  t.equal(await refused(nest(500)), 'validation.max_query_depth', 'far deeper than anybody reads')
})

// proves: validation.max_query_complexity
t.test('complexity: scalars 1, objects 1, lists of objects 5, with what is selected of them', async (t) => {
  const { refused, passes } = await start(t, { max_query_complexity: 20 })
  const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}: name`).join(' ')
  // 5 + fields
  await passes(`{ users { ${fields(15)} } }`)
  t.equal(await refused(`{ users { ${fields(16)} } }`), 'validation.max_query_complexity')
  // 5 + 5 + fields
  await passes(`{ users { posts { ${fields(10).replaceAll('name', 'title')} } } }`)
  t.equal(
    await refused(`{ users { posts { ${fields(11).replaceAll('name', 'title')} } } }`),
    'validation.max_query_complexity',
  )
  // connection 1, edges 5, node 1
  await passes(`{ userPages { edges { node { ${fields(13)} } } } }`)
  t.equal(await refused(`{ userPages { edges { node { ${fields(14)} } } } }`), 'validation.max_query_complexity')
  await passes(`{ user(id: "1") { ${'name '.repeat(200)} } }`)
  await passes(
    `{ user(id: "1") { ${'...F '.repeat(50)} boss { id } boss { id } } } fragment F on User { id name boss { id name } }`,
  )
  t.equal(
    await refused(`mutation { createUser(input: { name: "a" }) { ${fields(20)} } }`),
    'validation.max_query_complexity',
  )
})

t.test('numbers about rows weigh as the list that is read for them', async (t) => {
  const { refused, passes } = await start(t, { max_query_complexity: 7 })
  // 5 + an object of 1 + its field
  await passes('{ usersAggregate { count a: count } }')
  await passes('{ usersAggregate { sum { age } } }')
  t.equal(await refused('{ usersAggregate { sum { age balance } } }'), 'validation.max_query_complexity')
  await passes('{ usersGroups(groupBy: [status]) { keys { status } } }')
  t.equal(await refused('{ usersGroups(groupBy: [age]) { keys { age } count } }'), 'validation.max_query_complexity')
  // 1 + 5 + 1
  await passes('{ user(id: "1") { postsAggregate { count } } }')
  t.equal(await refused('{ user(id: "1") { id postsAggregate { count } } }'), 'validation.max_query_complexity')
})

t.test('weights are set', async (t) => {
  const { refused, passes } = await start(t, {
    max_query_complexity: 20,
    list_weight: 10,
    object_weight: 4,
    scalar_weight: 2,
  })
  await passes('{ users { boss { id name email: id } } }')
  t.equal(await refused('{ users { boss { id a: id b: id c: id } } }'), 'validation.max_query_complexity')
})

t.test('fragments that multiply cost nothing, and are refused', async (t) => {
  const bomb = (levels: number) =>
    `{ user(id: "1") { ...F0 } } ${Array.from(
      { length: levels },
      (_, i) => `fragment F${i} on User { a: boss { ...F${i + 1} } b: boss { ...F${i + 1} } }`,
    ).join(' ')} fragment F${levels} on User { id }`
  const loose = { max_query_depth: 0, max_query_aliases: 0 }
  const { refused } = await start(t, loose)
  const started = performance.now()
  t.equal(await refused(bomb(7)), 'validation.max_query_complexity')
  t.ok(performance.now() - started < 2000)
  const spread = `{ user(id: "1") { ...F0 } } ${Array.from(
    { length: 60 },
    (_, i) => `fragment F${i} on User { ...F${i + 1} ...F${i + 1} ...F${i + 1} }`,
  ).join(' ')} fragment F60 on User { n: name }`
  const counted = await start(t)
  t.equal(await counted.refused(spread), 'validation.max_query_aliases')
  t.match((await counted.ask(spread)).errors?.[0]?.message, /has more than a million aliases/)
})

t.test('aliases, root fields, directives', async (t) => {
  const { refused, passes, ask } = await start(t, { max_query_complexity: 0 })
  const many = (count: number, of: string) =>
    Array.from({ length: count }, (_, i) => of.replaceAll('#', String(i))).join(' ')
  await passes(`{ user(id: "1") { ${many(30, 'a#: name')} } }`)
  t.equal(await refused(`{ user(id: "1") { ${many(31, 'a#: name')} } }`), 'validation.max_query_aliases')
  t.match((await ask(`query Wide { user(id: "1") { ${many(31, 'a#: name')} } }`)).errors, [
    {
      message: 'The operation "Wide" has 31 aliases; at most 30 may be (validation.max_query_aliases).',
      locations: [{ line: 1, column: 1 }],
      extensions: { limit: 30 },
    },
  ])
  await passes(`{ ${many(20, 'a#: answer')} __typename }`)
  t.equal(
    await refused(`{ ${many(11, 'a#: answer')} ...R } fragment R on Query { ${many(21, 'a#: answer')} }`),
    'validation.max_query_root_fields',
  )
  t.equal(await refused(`{ ${many(20, 'a#: answer')} answer }`), 'validation.max_query_root_fields')
  t.equal(
    await refused(`{ ${many(15, 'a#: answer')} ... { ${many(6, 'b#: answer')} } }`),
    'validation.max_query_root_fields',
  )
  await passes(`{ answer ${many(50, '@include(if: true)').slice(0, 19)} }`)
  const directives = (count: number) => `{ user(id: "1") { ${many(count, 'name @include(if: true)')} } }`
  await passes(directives(50))
  t.equal(await refused(directives(51)), 'validation.max_query_directives')
})

t.test('each operation of a document is held to them', async (t) => {
  const { ask } = await start(t, { max_query_depth: 2 })
  const document = 'query A { answer } query B { user(id: "1") { boss { id } } }'
  t.match((await ask(document)).errors?.[0]?.message, /The operation "B" is nested deeper than 2 levels/)
})

t.test('0 = no bound', async (t) => {
  const none = {
    max_query_depth: 0,
    max_query_complexity: 0,
    max_query_aliases: 0,
    max_query_root_fields: 0,
    max_query_directives: 0,
  }
  const { passes } = await start(t, none)
  await passes(nest(40))
  const wide = Array.from({ length: 60 }, (_, i) => `a${i}: answer @include(if: true)`).join(' ')
  await passes(`{ ${wide} }`)
})

t.test('introspection is exempt: clients ask it whole', async (t) => {
  const { ask } = await start(t)
  const { getIntrospectionQuery } = await import('graphql')
  const answer = await ask(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }))
  t.equal(answer.errors, undefined)
  t.ok((answer.data as { __schema: unknown }) ?? true)
})

t.test('introspection counts once, not once per alias', async (t) => {
  const { refused } = await start(t)
  const many = (of: string) => Array.from({ length: 31 }, (_, i) => of.replaceAll('#', String(i))).join(' ')
  for (const document of [
    `{ ${many('a#: __schema { types { name } }')} }`,
    `{ __schema { ${many('a#: types { name }')} } }`,
    `{ ${many('a#: __type(name: "User") { ...T }')} } fragment T on __Type { name }`,
  ]) {
    t.equal(await refused(document), 'validation.max_query_aliases')
  }
})

t.test('a document is looked at once, however often it comes and whether it passes', async (t) => {
  let prepared = 0
  const counter = plugin('counter', (scope) => scope.on('graphql:prepared', () => void prepared++), {
    dependencies: ['graphql'],
  })
  const tested = await openPlugin(t, queryLimits, { dependencies: [graphql, counter], schema: linkShop() })
  const get = (query: string) => tested.inject({ url: `/graphql?query=${encodeURIComponent(query)}` })
  for (const _ of [1, 2, 3]) {
    t.match(
      (await get(nest(11))).json(),
      { errors: [{ extensions: { setting: 'validation.max_query_depth' } }] },
      'over GET, too',
    )
    t.equal((await get(nest(9))).json<Answer>().errors, undefined)
  }
  t.equal(prepared, 2)
})

t.test('GET is held to them as POST is', async (t) => {
  const { tested } = await start(t)
  const get = async (query: string) => tested.inject({ url: `/graphql?query=${encodeURIComponent(query)}` })
  const refused = (await get(nest(11))).json<Answer>()
  t.match(refused.errors?.[0]?.extensions, { code: 'VALIDATION_ERROR', setting: 'validation.max_query_depth' })
  t.notOk('errors' in (await get(nest(10))).json<Answer>())
})

t.test('other entrances of GraphQL pass it, since they prepare their documents in the same place', async (t) => {
  let prepare: ((query: string) => unknown) | null = null
  const socket = plugin(
    'socket',
    (scope) => {
      const api = scope.use('graphql')
      scope.route({
        method: 'GET',
        path: '/socket',
        handler: async (ctx) => {
          const request = { variables: null, operationName: null, extensions: null, other: {} }
          prepare = async (query) => api.prepare(ctx, { query, ...request })
          return { status: 204, headers: {}, body: null }
        },
      })
    },
    { dependencies: ['graphql'] },
  )
  const tested = await openPlugin(t, queryLimits, { dependencies: [graphql, socket], schema: linkShop() })
  await tested.inject({ url: '/socket' })
  await t.rejects(async () => prepare?.(nest(11)), { message: /nested deeper than 10 levels/ })
  t.match(await prepare!(nest(9)), { template: { kind: 'query' } })
})
