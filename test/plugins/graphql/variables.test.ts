import t from 'tap'
import { writeJson } from '../../../core/base/util/exact-number.ts'
import { serve } from './serve.ts'

const CREATE = 'mutation ($input: NewUser!) { createUser(input: $input) { id } }'
const FILTER =
  'query ($where: UserWhereInput, $order: [UserOrderByInput!], $limit: Int) { users(where: $where, orderBy: $order, limit: $limit) { id } }'

t.test('good variables arrive coerced, absent ones have no key', async (t) => {
  const served = await serve(t)
  const read = async (query: string, variables: Record<string, unknown>) =>
    (await served.operation(query, variables)).variables
  t.strictSame(await read('query ($id: ID!) { user(id: $id) { id } }', { id: 5 }), { id: '5' })
  t.strictSame(await read(FILTER, {}), {})
  t.strictSame(await read(FILTER, { where: null }), { where: null })
  t.strictSame(
    await read(FILTER, {
      where: {
        _or: { createdAt: { _gte: '2026-01-01T00:00:00+02:00' }, followers: { _in: [1, '2'] } },
        posts: { some: { title: { _eq: 'x' } } },
      },
      order: { age: 'DESC' },
      limit: 3,
    }),
    {
      where: {
        _or: [{ createdAt: { _gte: '2025-12-31T22:00:00+00:00' }, followers: { _in: ['1', '2'] } }],
        posts: { some: { title: { _eq: 'x' } } },
      },
      order: [{ age: 'DESC' }],
      limit: 3,
    },
  )
  t.strictSame(await read(CREATE, { input: { name: 'Ann' } }), {
    input: { name: 'Ann', age: 18, status: 'ACTIVE', meta: { a: 1 } },
  })
  t.strictSame(
    await read(
      'query ($f: StringFilter, $o: OrderDirection = ASC) { users(where: {name: $f}, orderBy: {age: $o}) { id } }',
      {},
    ),
    { o: 'ASC' },
    'a filter as a variable; the default of a variable',
  )
})

t.test('numbers keep their digits, or are refused', async (t) => {
  const served = await serve(t)
  const user =
    'mutation ($meta: JSON, $balance: Decimal) { createUser(input: { name: "Ann", meta: $meta, balance: $balance }) { id } }'
  const send = (variables: string, query = user) =>
    served.post(`{"query": ${JSON.stringify(query)}, "variables": ${variables}}`)
  const read = async (variables: string) => {
    let seen: Record<string, unknown> = {}
    const own = await serve(t, {
      resolve: (_exchange, operation) => {
        seen = operation.variables as Record<string, unknown>
        return { data: '{}', errors: null }
      },
    })
    await own.post(`{"query": ${JSON.stringify(user)}, "variables": ${variables}}`)
    return writeJson({ meta: seen.meta, balance: seen.balance })
  }
  t.equal(
    await read('{"balance": 0.1234567890123456789, "meta": {"a": [12345678901234567890, 1e400, "1e400"]}}'),
    '{"meta":{"a":[12345678901234567890,1e400,"1e400"]},"balance":"0.1234567890123456789"}',
  )
  const refusals: readonly [string, RegExp][] = [
    ['{"meta": 1e40000}', /JSON cannot hold the number 1e40000/],
    ['{"balance": 1e40000}', /Decimal must be/],
  ]
  for (const [variables, message] of refusals) {
    const response = await send(variables)
    t.match(response.json<{ errors: readonly object[] }>().errors, [
      { message, extensions: { code: 'BAD_USER_INPUT' } },
    ])
  }
  t.match((await send('1e400')).text, /"variables\\" must be an object/)
  const query = 'query ($w: UserWhereInput) { users(where: $w) { id } }'
  t.match((await send('{"w": 12345678901234567890}', query)).text, /to be an object/)
  const get = await served.inject({
    url: `/graphql?query=${encodeURIComponent('query ($l: Int) { users(limit: $l) { id } }')}&variables=${encodeURIComponent('{"l": 12345678901234567890}')}`,
  })
  t.match(get.text, /non 32-bit signed integer value: 12345678901234567890/)
})

t.test('literals keep their digits too', async (t) => {
  const served = await serve(t)
  const literal =
    'mutation { createUser(input: { name: "Ann", balance: 0.1234567890123456789, meta: { a: 12345678901234567890 } }) { id } }'
  const { template } = await served.operation(literal)
  const [root] = template.roots
  const [argument] = root?.kind === 'operation' ? root.arguments : []
  t.match(writeJson(argument?.value), /"balance":"0\.1234567890123456789".*"meta":\{"a":12345678901234567890\}/)
})

const cases: readonly [string, string, Record<string, unknown>, string, readonly (string | number)[]][] = [
  [
    'missing',
    'query ($id: ID!) { user(id: $id) { id } }',
    {},
    'Variable "$id" of required type "ID!" was not provided.',
    ['id'],
  ],
  [
    'null for non-null',
    'query ($id: ID!) { user(id: $id) { id } }',
    { id: null },
    'Variable "$id" of non-null type "ID!" must not be null.',
    ['id'],
  ],
  [
    'wrong type',
    'query ($id: ID!) { user(id: $id) { id } }',
    { id: [1] },
    'Variable "$id" got invalid value [1]; ID cannot represent value: [1]',
    ['id'],
  ],
  [
    'unknown',
    'query ($id: ID!) { user(id: $id) { id } }',
    { id: 1, idd: 2 },
    'Variable "$idd" is not declared by the document. Did you mean "id"? It declares: $id.',
    ['idd'],
  ],
  [
    'unknown where none are declared',
    '{ users { id } }',
    { x: 2 },
    'Variable "$x" is not declared by the document. It declares none.',
    ['x'],
  ],
  [
    'unknown filter key',
    FILTER,
    { where: { nam: { _eq: 'x' } } },
    'Variable "$where" got invalid value {"nam":{"_eq":"x"}}; Field "nam" is not defined by type "UserWhereInput". Did you mean "name"?',
    ['where'],
  ],
  [
    'unknown operator',
    FILTER,
    { where: { age: { eq: 1 } } },
    'Variable "$where" got invalid value {"eq":1} at "where.age"; Field "eq" is not defined by type "IntFilter". Did you mean "_eq"?',
    ['where', 'age'],
  ],
  [
    'an operator that the field does not allow',
    FILTER,
    { where: { status: { _neq: 'OLD' } } },
    'Variable "$where" got invalid value {"_neq":"OLD"} at "where.status"; Field "_neq" is not defined by type "StatusEqInFilter". Did you mean "_eq"?',
    ['where', 'status'],
  ],
  [
    'a field that cannot be filtered',
    FILTER,
    { where: { secret: { _eq: 'x' } } },
    'Variable "$where" got invalid value {"secret":{"_eq":"x"}}; Field "secret" is not defined by type "UserWhereInput".',
    ['where'],
  ],
  [
    'wrong operand',
    FILTER,
    { where: { _and: [{ balance: { _gt: 'much' } }] } },
    'Variable "$where" got invalid value "much" at "where._and[0].balance._gt"; Decimal must be a number as text, such as "12.50", not "much"',
    ['where', '_and', 0, 'balance', '_gt'],
  ],
  [
    'two sort keys in one element',
    FILTER,
    { order: [{ age: 'ASC', name: 'ASC' }] },
    'Variable "$order" got invalid value {"age":"ASC","name":"ASC"} at "order[0]"; Exactly one key must be specified for OneOf type "UserOrderByInput".',
    ['order', 0],
  ],
  [
    'unknown direction',
    FILTER,
    { order: [{ age: 'UP' }] },
    'Variable "$order" got invalid value "UP" at "order[0].age"; Value "UP" does not exist in "OrderDirection" enum.',
    ['order', 0, 'age'],
  ],
  [
    'missing input field',
    CREATE,
    { input: {} },
    'Variable "$input" got invalid value {}; Field "name" of required type "String!" was not provided.',
    ['input'],
  ],
  [
    'null for a field with a default',
    CREATE,
    { input: { name: 'x', age: null } },
    'Variable "$input" got invalid value null at "input.age"; Expected non-nullable type "Int!" not to be null.',
    ['input', 'age'],
  ],
  [
    'custom scalar',
    CREATE,
    { input: { name: 'x', isbn: 'abc' } },
    'Variable "$input" got invalid value "abc" at "input.isbn"; Expected type "Isbn". An ISBN is made of digits',
    ['input', 'isbn'],
  ],
]
for (const [name, query, variables, message, path] of cases) {
  t.test(`bad variable: ${name}`, async (t) => {
    const served = await serve(t)
    const [error, ...rest] = await served.errors({ query, variables })
    t.equal(error?.message, message)
    t.strictSame(error?.extensions, { path, code: 'BAD_USER_INPUT', statusCode: 400 })
    t.strictSame(rest, [])
  })
}

t.test('every bad variable has its error', async (t) => {
  const served = await serve(t)
  const errors = await served.errors({ query: FILTER, variables: { where: 1, limit: 'x', extra: 1 } })
  t.strictSame(
    errors.map((error) => error.extensions.path),
    [['where'], ['limit'], ['extra']],
  )
})

t.test('names that objects inherit', async (t) => {
  const served = await serve(t)
  const query =
    'query ($constructor: Int, $toString: Int = 4) { a: users(limit: $constructor) { id } b: users(limit: $toString) { id } }'
  t.strictSame((await served.operation(query)).variables, { toString: 4 })
  t.strictSame((await served.operation(query, { constructor: 1, toString: 2 })).variables, {
    constructor: 1,
    toString: 2,
  })
  t.match(await served.errors({ query: 'query ($__proto__: Int) { users(limit: $__proto__) { id } }' }), [
    { message: 'A variable cannot be called "$__proto__".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
  ])
  const proto = '{"query":"{ users { id } }","variables":{"__proto__":1}}'
  t.match((await served.post(proto)).json(), { errors: [{ message: /Variable "\$__proto__" is not declared/ }] })
})

t.test('huge and deep variables are refused, and the next request is served', async (t) => {
  const served = await serve(t)
  const where = `${'{"_not":'.repeat(500)}{}${'}'.repeat(500)}`
  t.match((await served.post(`{"query":${JSON.stringify(FILTER)},"variables":{"where":${where}}}`)).json(), {
    errors: [{ message: /Objects are nested deeper than 64 levels\.$/, extensions: { code: 'BAD_USER_INPUT' } }],
  })
  const bodyOf = (depth: number): string => {
    const meta = `${'['.repeat(depth)}1${']'.repeat(depth)}`
    return `{"query":${JSON.stringify(CREATE)},"variables":{"input":{"name":"x","meta":${meta}}}}`
  }
  t.match((await served.post(bodyOf(550))).json(), {
    errors: [{ message: /JSON is nested deeper than 500 levels$/, extensions: { code: 'BAD_USER_INPUT' } }],
  })
  t.match((await served.post(bodyOf(20_000))).json(), {
    errors: [{ message: /nested deeper than 600 levels$/, extensions: { code: 'REQUEST_ERROR' } }],
  })
  t.match(
    (await served.post({ query: FILTER, variables: { where: { name: { _in: 'x'.repeat(900_000) } } } })).status,
    200,
  )
  t.match(
    (await served.post({ query: FILTER, variables: { where: { name: { _in: 'x'.repeat(1_100_000) } } } })).json(),
    {
      errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE', statusCode: 413 } }],
    },
  )
  t.equal((await served.post({ query: FILTER })).text, '{"data":{}}')
})
