import t, { type Test } from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import graphql from '../../../plugins/graphql/index.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import rateLimiting from '../../../plugins/rate-limiting/index.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { linkShop } from './shop.ts'

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[]
}

interface Limits {
  readonly max_batch?: number
  readonly max_query_complexity?: number
  readonly burst_size?: number
  readonly request_id_in_errors?: boolean
  readonly max_response_bytes?: number
}

async function open(
  t: Test,
  { max_batch, max_query_complexity, max_response_bytes, burst_size = 100, ...options }: Limits = {},
) {
  const ran: string[] = []
  let running = 0
  const tested = await openPlugin(t, queryLimits, {
    dependencies: [
      {
        plugin: rateLimiting as never,
        options: { enabled: true, requests_per_second: 0.001, burst_size },
      },
      { plugin: graphql as never, options: { ...options, ...(max_batch === undefined ? {} : { max_batch }) } },
    ],
    options: max_query_complexity === undefined ? {} : { max_query_complexity },
    schema: linkShop(),
    ...(max_response_bytes === undefined ? {} : { config: { svc: { max_response_bytes } } }),
    async resolve(_ctx, { template }) {
      const key = template.roots[0]?.responseKey ?? ''
      running++
      t.equal(running, 1, 'one after another')
      await new Promise((done) => setTimeout(done, key === 'slow' ? 20 : 1))
      running--
      ran.push(key)
      if (key === 'down') throw new SvcError('SERVICE_UNAVAILABLE', 'Down.', { retryAfter: 7 })
      return { data: `{"${key}":1}`, errors: null }
    },
  })
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    tested.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      body: body as object,
    })
  return { post, ran, takeReported: tested.takeReported }
}
const of = (key: string, selection = 'id') => ({ query: `{ ${key}: user(id: "1") { ${selection} } }` })

t.test('a list is refused until the option allows it, and above what it allows', async (t) => {
  const off = await open(t)
  const refused = await off.post([of('a')])
  t.equal(refused.status, 400)
  t.match(refused.json<Answer>().errors?.[0]?.message, /^Batches are not supported/)
  const { post, ran } = await open(t, { max_batch: 2 })
  const many = await post([of('a'), of('b'), of('c')])
  t.equal(many.status, 400)
  t.strictSame(many.json<Answer>().errors?.[0]?.extensions, {
    limit: 2,
    setting: 'graphql.max_batch',
    code: 'REQUEST_ERROR',
    statusCode: 400,
  })
  t.equal((await post([])).status, 400)
  t.strictSame([...off.ran, ...ran], [])
  const two = await post([of('a'), of('b')])
  t.equal(two.status, 200)
  t.equal(two.headers['content-type'], 'application/json; charset=utf-8')
  t.strictSame(two.json(), [{ data: { a: 1 } }, { data: { b: 1 } }])
  t.strictSame((await post(of('a'))).json(), { data: { a: 1 } }, 'one request is answered as ever')
})

t.test('answers stand in the order of the requests, each with its own errors', async (t) => {
  const { post, ran, takeReported } = await open(t, { max_batch: 9 })
  const given = [
    of('slow'),
    { query: '{ nothing }' },
    of('fast'),
    'no request',
    [of('nested')],
    { query: 'subscription { x }' },
    of('down'),
    { query: 'query ($id: ID!) { v: user(id: $id) { id } }', variables: { id: '1' } },
  ]
  const reply = await post(given)
  t.equal(reply.status, 200)
  const answers = reply.json<Answer[]>()
  t.strictSame(
    answers.map(({ data, errors }) => errors?.[0]?.extensions.code ?? data),
    [
      { slow: 1 },
      'GRAPHQL_VALIDATION_FAILED',
      { fast: 1 },
      'REQUEST_ERROR',
      'REQUEST_ERROR',
      'GRAPHQL_VALIDATION_FAILED',
      'SERVICE_UNAVAILABLE',
      { v: 1 },
    ],
  )
  t.strictSame(ran, ['slow', 'fast', 'down', 'v'])
  t.equal(takeReported().length, 1)
})

t.test('where the answers reach the bound of one, no more of the list is run', async (t) => {
  // An answer has 16 bytes.
  const { post, ran } = await open(t, { max_batch: 4, max_response_bytes: 32 })
  const answers = (await post(['a', 'b', 'c', 'd'].map((key) => of(key)))).json<Answer[]>()
  t.strictSame(ran, ['a', 'b'])
  t.strictSame(answers.slice(0, 2), [{ data: { a: 1 } }, { data: { b: 1 } }])
  for (const { errors } of answers.slice(2)) {
    t.match(errors, [{ message: /^This was not run: .* 32 bytes/, extensions: { code: 'VALIDATION_ERROR' } }])
  }
})

t.test('a list of which nothing could be done is 503, to be tried again', async (t) => {
  const { post, takeReported } = await open(t, { max_batch: 2 })
  const down = await post([of('down'), of('down')])
  t.equal(down.status, 503)
  t.equal(down.headers['retry-after'], '7')
  t.equal(down.json<Answer[]>().length, 2)
  t.equal((await post([of('down'), of('a')])).status, 200)
  t.equal(takeReported().length, 3)
})

t.test('each request counts for rate limits, and none runs where they are too many', async (t) => {
  const { post, ran } = await open(t, { max_batch: 5, burst_size: 4 })
  const limited = await post([1, 2, 3, 4, 5].map((n) => of(`n${n}`)))
  t.equal(limited.status, 429)
  t.strictSame(ran, [])
  const within = await open(t, { max_batch: 5, burst_size: 5 })
  t.equal((await within.post([1, 2, 3, 4, 5].map((n) => of(`n${n}`)))).status, 200)
  t.equal(within.ran.length, 5)
  t.equal((await within.post(of('more'))).status, 429, 'and all of them are counted')
})

t.test('the complexity of all together is held to the bound of one', async (t) => {
  const heavy = (key: string) => of(key, 'id name boss { id name }')
  const one = await open(t, { max_batch: 5, max_query_complexity: 11 })
  const over = await one.post([heavy('a'), heavy('b')])
  t.equal(over.status, 400)
  const [error] = over.json<Answer>().errors ?? []
  t.strictSame(error?.extensions, {
    limit: 11,
    setting: 'validation.max_query_complexity',
    code: 'VALIDATION_ERROR',
    statusCode: 400,
  })
  t.strictSame(one.ran, [])
  t.equal((await one.post([heavy('a')])).status, 200, 'by itself it passes')
  const wider = await open(t, { max_batch: 5, max_query_complexity: 12 })
  t.equal((await wider.post([heavy('a'), heavy('b')])).status, 200)
})

t.test('errors hold the id of the request where the option asks for it', async (t) => {
  const headers = { 'x-request-id': 'request-1' }
  const without = await open(t)
  t.notOk(
    'requestId' in
      ((await without.post({ query: '{ nothing }' }, headers)).json<Answer>().errors?.[0]?.extensions ?? {}),
  )
  const { post, takeReported } = await open(t, { request_id_in_errors: true, max_batch: 2 })
  for (const body of [{ query: '{ nothing }' }, { query: '{' }, of('down'), {}]) {
    const reply = await post(body, headers)
    t.equal(reply.json<Answer>().errors?.[0]?.extensions.requestId, 'request-1', JSON.stringify(body))
  }
  const made = await post({ query: '{ nothing }' })
  t.equal(made.json<Answer>().errors?.[0]?.extensions.requestId, made.headers['x-request-id'])
  t.strictSame((await post(of('a'))).json(), { data: { a: 1 } }, 'an answer without errors has none')
  t.equal(takeReported().length, 1)
})
