import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { createDocumentCache, type DocumentCacheOptions } from '../../../plugins/graphql/document/document-cache.ts'
import { createSchemaView } from '../../../plugins/graphql/schema/graphql-schema.ts'
import { serve } from './serve.ts'
import { linkShop } from './shop.ts'

const bombs: readonly [string, string, string, RegExp][] = [
  [
    '10,000 aliases',
    `{${Array.from({ length: 10_000 }, (_, i) => `a${i}: answer`).join(' ')}}`,
    'PARSE_ERROR',
    /^The document has more than 10000 tokens; svc\.max_document_tokens sets the bound\.$/,
  ],
  [
    'one field very often',
    `{${'answer '.repeat(9000)}}`,
    'VALIDATION_ERROR',
    /^The document takes too much work to validate/,
  ],
  [
    'a fragment cycle',
    '{ users { ...A } } fragment A on User { boss { ...B } } fragment B on User { boss { ...A } }',
    'GRAPHQL_VALIDATION_FAILED',
    /^Cannot spread fragment "A" within itself via "B"\.$/,
  ],
  [
    'deep nesting',
    `{ users { ${'boss { '.repeat(500)} id ${'}'.repeat(500)} } }`,
    'VALIDATION_ERROR',
    /^The operation is nested deeper than 100 levels\.$/,
  ],
  [
    'nesting deeper than the stack',
    `{ users(where: ${'{_not: '.repeat(2490)}{}${'}'.repeat(2490)}) { id } }`,
    'PARSE_ERROR',
    /^The document is nested too deeply\.$/,
  ],
  [
    'lists deeper than the stack',
    `{ users(limit: ${'['.repeat(4990)}${']'.repeat(4990)}) { id } }`,
    'PARSE_ERROR',
    /^The document is nested too deeply\.$/,
  ],
  [
    'fragments that double',
    `{ users { ...F0 } } ${Array.from({ length: 40 }, (_, i) => `fragment F${i} on User { a: boss { ...F${i + 1} } b: boss { ...F${i + 1} } }`).join(' ')} fragment F40 on User { id }`,
    'VALIDATION_ERROR',
    /^The operation selects more than 10000 fields once its fragments are spread\.$/,
  ],
]
for (const [name, query, code, message] of bombs) {
  t.test(`${name}: refused cheaply, and the next request is served`, async (t) => {
    const served = await serve(t)
    const start = performance.now()
    const errors = await served.errors({ query })
    t.ok(performance.now() - start < 1000, 'in less than a second')
    t.match(errors[0], { message, extensions: { code } })
    t.match((await served.errors({ query }))[0], { message, extensions: { code } }, 'the same again')
    t.equal((await served.post({ query: '{ answer }' })).text, '{"data":{}}')
  })
}

t.test('the token bound is svc.max_document_tokens', async (t) => {
  const served = await serve(t, { config: { svc: { max_document_tokens: 5 } } })
  t.equal((await served.post({ query: '{ a: answer }' })).status, 200)
  t.match(await served.errors({ query: '{ a: answer b: answer }' }), [
    { message: 'The document has more than 5 tokens; svc.max_document_tokens sets the bound.' },
  ])
})

t.test('at most 100 errors are reported', async (t) => {
  const served = await serve(t)
  const errors = await served.errors({ query: `{${Array.from({ length: 500 }, (_, i) => `nope${i}`).join(' ')}}` })
  t.equal(errors.length, 101)
  t.match(errors.at(-1)?.message, /^Too many validation errors/)
})

t.test('errors that quote the client are bounded in number and size', async (t) => {
  const served = await serve(t)
  const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, i) => make(i))
  const long = (letter: string): string => letter.repeat(500_000)
  const declared = many(1300, (i) => `$${'v'.repeat(90)}${i}: Int!`).join(' ')
  const ids = `query ($id: ID!) { user(id: $id) { id } }`
  const operations = many(900, (i) => `query Q${i} { users { ...F } }`).join(' ')
  const requests: readonly (readonly [string, number, RegExp, { query: string; variables?: object }])[] = [
    [
      'variables that are not declared',
      101,
      /^Variable "\$value0" is not declared by the document\. It declares: \$id\.$/,
      { query: ids, variables: { id: 1, ...Object.fromEntries(many(50_000, (i) => [`value${i}`, 1])) } },
    ],
    [
      'variables that are missing, and others',
      101,
      /^Variable "\$v+0" of required type "Int!" was not provided\.$/,
      {
        query: `query (${declared}) { users(where: { age: { _in: [${declared.replaceAll(': Int!', '')}] } }) { id } }`,
        variables: Object.fromEntries(many(5000, (i) => [`${'w'.repeat(90)}${i}`, 1])),
      },
    ],
    [
      'a name of half a megabyte',
      1,
      /^Variable "\$n{100}…" is not/,
      { query: ids, variables: { id: 1, [long('n')]: 1 } },
    ],
    ['a declared one', 1, /^Variable "\$n{100}…" of re/, { query: ids.replaceAll('$id', `$${long('n')}`) }],
    ['a field', 1, /^Cannot query field "z{900,}…$/, { query: `{ ${long('z')} }` }],
    [
      'a variable that many operations lack',
      101,
      /^Variable "\$v{900,}…$/,
      {
        query: `${operations} fragment F on User { id name @include(if: $${long('v')}) }`,
      },
    ],
    [
      'a name that is there too often',
      101,
      /^There can be only one/,
      { query: `query (${'$a: Int '.repeat(2000)}) { answer }` },
    ],
    [
      'fragments in a long circle',
      1,
      /^Cannot spread fragment "F0" within itself.*…$/,
      {
        query: `{ users { ...F0 } } ${many(900, (i) => `fragment F${i} on User { ...F${(i + 1) % 900} }`).join(' ')}`,
      },
    ],
  ]
  for (const [name, count, message, request] of requests) {
    const start = performance.now()
    const { text } = await served.post(request)
    t.ok(performance.now() - start < 2000, `${name}: in less than two seconds`)
    t.ok(text.length < 250_000, `${name}: ${text.length} characters`)
    const errors = JSON.parse(text).errors as readonly { message: string; locations?: readonly unknown[] }[]
    t.equal(errors.length, count, name)
    t.match(errors[0]?.message, message, name)
    t.ok(
      errors.every(({ locations = [] }) => locations.length <= 20),
      name,
    )
  }
  const { text } = await served.post({ query: ids, variables: Object.fromEntries(many(500, (i) => [`v${i}`, 1])) })
  const last = JSON.parse(text).errors.at(-1)
  t.equal(last.message, 'There are more than 100 errors in the variables: these are the first.')
  t.equal(last.extensions.code, 'BAD_USER_INPUT')
})

const view = createSchemaView(linkShop(), false)
const options: DocumentCacheOptions = {
  maxTokens: 10_000,
  introspection: true,
  maxBytes: 200_000,
  maxFailedBytes: 50_000,
}

t.test('both caches are bounded in bytes; bad documents cannot evict good ones', (t) => {
  const cache = createDocumentCache(() => view, options)
  const good = cache.get('{ users { id } }')
  t.equal(cache.get('{ users { id } }'), good)
  for (let i = 0; i < 500; i++) t.throws(() => cache.get(`{ nope${i} }`), { message: /Cannot query field/ })
  t.equal(cache.get('{ users { id } }'), good, 'still there')
  t.equal(cache.size.documents, 1)
  t.ok(cache.size.failed > 0 && cache.size.failed < 500)
  t.ok(cache.size.failedBytes <= options.maxFailedBytes)
  const again = [0, 1].map(() => {
    try {
      return cache.get('{ nope499 }')
    } catch (error) {
      return error
    }
  })
  t.equal(again[0], again[1], 'a failure is not worked out twice')
  for (let i = 0; i < 500; i++) cache.get(`{ u${i}: users { id } }`)
  t.ok(cache.size.bytes <= options.maxBytes)
  t.ok(cache.size.documents < 100)
  t.equal(cache.get('{ users { id } }'), good, 'what came once did not push it out')
  for (let i = 0; i < 500; i++) cache.get(`{ u${i % 250}: users { id name } }`)
  t.ok(cache.size.bytes <= options.maxBytes)
  t.not(cache.get('{ users { id } }'), good, 'what came twice did')
  t.end()
})

t.test('templates count; a document that outgrows the cache leaves it', (t) => {
  const cache = createDocumentCache(() => view, { ...options, maxBytes: 60_000 })
  const text = 'query ($a: Boolean!, $b: Boolean!) { users { id name @skip(if: $a) age @skip(if: $b) } }'
  const document = cache.get(text)
  const before = cache.size.bytes
  document.operation(null).toOperation({ a: true, b: false })
  const one = cache.size.bytes
  t.ok(one > before)
  document.operation(null).toOperation({ a: true, b: false })
  t.equal(cache.size.bytes, one, 'the same template is not made again')
  document.operation(null).toOperation({ a: true, b: true })
  t.ok(cache.size.bytes > one)
  t.equal(cache.size.bytes, document.bytes)
  const large = cache.get(
    '{ __schema { types { name description fields { name description type { name } args { name } } inputFields { name description } } } }',
  )
  large.operation(null).toOperation(null)
  t.equal(cache.size.documents, 1, 'an answer larger than the cache is not kept')
  t.end()
})

t.test('combinations of @skip and @include are bounded per operation', (t) => {
  const cache = createDocumentCache(() => view, { ...options, maxBytes: 100_000_000 })
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const operation = cache
    .get(
      `query (${names.map((n) => `$${n}: Boolean!`).join(' ')}) { users { id ${names.map((n) => `${n}: name @skip(if: $${n})`).join(' ')} } }`,
    )
    .operation(null)
  const assign = (bits: number) =>
    operation.toOperation(Object.fromEntries(names.map((n, i) => [n, (bits & (1 << i)) !== 0])))
  const first = assign(0).template
  t.equal(assign(0).template, first)
  for (let bits = 1; bits < 128; bits++) assign(bits)
  t.not(assign(0).template, first, 'the oldest was dropped')
  t.end()
})

t.test('caches can be switched off', (t) => {
  const cache = createDocumentCache(() => view, { ...options, maxBytes: 0, maxFailedBytes: 0 })
  t.not(cache.get('{ answer }'), cache.get('{ answer }'))
  t.throws(() => cache.get('{'), { message: /^Syntax Error/ })
  t.strictSame(cache.size, { documents: 0, bytes: 0, failed: 0, failedBytes: 0 })
  t.end()
})

t.test('an operation kind that the schema does not have', (t) => {
  const cache = createDocumentCache(() => view, options)
  t.throws(
    () => cache.get('subscription { userCreated { id } }').operation(null),
    new SvcError('GRAPHQL_VALIDATION_FAILED', 'The schema has no subscription operations.'),
  )
  t.end()
})
