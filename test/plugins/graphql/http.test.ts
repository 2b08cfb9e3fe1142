import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Result } from '../../../core/contract/result.ts'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import type { GraphQLApi, GraphQLRequest } from '../../../plugins/graphql/api.ts'
import { isJsonBody, negotiate, wantsHtml } from '../../../plugins/graphql/http/media-types.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { serve } from './serve.ts'
import { linkShop } from './shop.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8'
const OLD = { accept: 'application/json' }
const NEW = { accept: 'application/graphql-response+json' }

t.test('data goes through as it is', async (t) => {
  const data = '{"users":[{"balance":"1.00"}] }'
  const served = await serve(t, { resolve: () => ({ data, errors: null }) })
  const reply = await served.post({ query: '{ users { balance } }' })
  t.equal(reply.text, `{"data":${data}}`)
  t.equal(reply.status, 200)
  t.equal(reply.headers['content-type'], JSON_TYPE)
  t.equal((await served.post({ query: '{ users { balance } }' }, NEW)).headers['content-type'], RESPONSE_TYPE)
})

t.test('a request that is none has HTTP status 400 in both media types', async (t) => {
  const served = await serve(t)
  const cases: readonly [string, unknown, string][] = [
    ['no body', '', 'The request has no body: send a JSON object with "query".'],
    ['a batch', [{ query: '{ answer }' }], 'Batches are not supported: send one JSON object per request.'],
    ['a string', '"{ answer }"', 'The body must be a JSON object with "query".'],
    ['null', 'null', 'The body must be a JSON object with "query".'],
    ['no query', {}, 'The request has no "query".'],
    [
      'only the id of a document',
      { documentId: 'x' },
      'The request has no "query". "documentId" names a stored document, and no plugin that stores documents is enabled.',
    ],
    ['query is no string', { query: 1 }, '"query" must be a string.'],
    ['variables are no object', { query: '{ answer }', variables: [] }, '"variables" must be an object.'],
    ['operationName is no string', { query: '{ answer }', operationName: 1 }, '"operationName" must be a string.'],
    ['extensions are no object', { query: '{ answer }', extensions: 'x' }, '"extensions" must be an object.'],
    [
      'unknown field',
      { query: '{ answer }', variable: {} },
      'Unknown field "variable" in the request. Did you mean "variables"? Fields: query, variables, operationName, extensions.',
    ],
  ]
  for (const [name, body, message] of cases) {
    for (const headers of [OLD, NEW]) {
      const reply = await served.post(body, headers)
      t.equal(reply.status, 400, name)
      t.strictSame(
        reply.json(),
        { errors: [{ message, extensions: { code: 'REQUEST_ERROR', statusCode: 400 } }] },
        name,
      )
    }
  }
  t.match((await served.post('{"query": "{ answer }"')).json(), {
    errors: [{ message: /^The body is not valid JSON: / }],
  })
  const latin1 = Buffer.from('{"query":"{ search(text: \\"é\\") { __typename } }"}', 'latin1')
  t.match((await served.post(latin1)).json(), { errors: [{ message: 'The body is not valid UTF-8.' }] })
  t.equal((await served.post({ query: '{ answer }', id: 'x', operationName: '' })).status, 200, 'the id beside a query')
})

t.test('content types', async (t) => {
  const served = await serve(t)
  const body = '{"query":"{ answer }"}'
  const send = (type?: string) =>
    served.inject({
      method: 'POST',
      url: '/graphql',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    t.equal((await send(type)).status, 200, type)
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    'application/graphql',
  ]) {
    const reply = await send(type)
    t.equal(reply.status, 415)
    t.strictSame(reply.json(), {
      errors: [
        {
          message: `The body must be application/json in UTF-8, not "${type}".`,
          extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', statusCode: 415 },
        },
      ],
    })
  }
  t.match((await send()).json(), {
    errors: [{ message: 'The body must be application/json in UTF-8; the request has no content-type.' }],
  })
})

t.test('Accept', async (t) => {
  const cases: readonly [string | undefined, string | null][] = [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['application/json;q=0.5, application/graphql-response+json;q=0.8', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['application/graphql-response+json; charset=UTF-8', 'application/graphql-response+json'],
    ['application/json;q=0, */*', 'application/graphql-response+json'],
    ['application/json;q=0, application/graphql-response+json;q=0, */*', null],
    ['application/json; charset=latin1', null],
    ['text/html', null],
    ['application/json;q=x', null],
    ['application/json;q=7', null],
    // The exact range counts, wherever it stands and whatever a wider one says.
    ['*/*, application/json;q=0.5', 'application/graphql-response+json'],
    ['application/json;q=0.5, */*', 'application/graphql-response+json'],
    ['application/*, application/json;q=0.5, */*;q=0.1', 'application/graphql-response+json'],
    ['application/*;q=0.4, */*;q=0.9', 'application/json'],
    ['application/*;q=0, */*', null],
    ['application/graphql-response+json;q=0.5, */*;q=0.1', 'application/graphql-response+json'],
    ['application/graphql-response+json, */*', 'application/graphql-response+json'],
    ['*/*, application/graphql-response+json', 'application/json'],
    ['application/json; charset=latin1, */*;q=0.1', 'application/json'],
  ]
  for (const [accept, type] of cases) t.equal(negotiate(accept), type, String(accept))
  for (let i = 0; i < 1000; i++) negotiate(`application/json, text/x${i}`)
  t.equal(negotiate('application/json, text/x0'), 'application/json')
  t.equal(isJsonBody(undefined), false)
  t.equal(wantsHtml('application/json, text/html'), false)

  const served = await serve(t)
  const reply = await served.post({ query: '{ answer }' }, { accept: 'text/csv' })
  t.equal(reply.status, 406)
  t.match(reply.json(), { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] })
  t.equal(reply.headers['content-type'], JSON_TYPE)
})

t.test('failures of the document and the variables: 200, or 4xx in the newer media type', async (t) => {
  const served = await serve(t)
  const cases: readonly [object, object][] = [
    [
      { query: '' },
      {
        message: 'Syntax Error: Unexpected <EOF>.',
        locations: [{ line: 1, column: 1 }],
        extensions: { code: 'PARSE_ERROR', statusCode: 400 },
      },
    ],
    [
      { query: '{ users { nam } }' },
      {
        message: 'Cannot query field "nam" on type "User". Did you mean "name"?',
        locations: [{ line: 1, column: 11 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: '{ user(id: "1", x: 2) { id } }' },
      {
        message: 'Unknown argument "x" on field "Query.user".',
        locations: [{ line: 1, column: 17 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: '{ users(where: {agee: {_eq: 1}}) { id } }' },
      {
        message: 'Field "agee" is not defined by type "UserWhereInput". Did you mean "age"?',
        locations: [{ line: 1, column: 17 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: '{ users(where: {balance: {_eq: "x"}}) { id } }' },
      {
        message: 'Decimal must be a number as text, such as "12.50", not "x"',
        locations: [{ line: 1, column: 32 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: '{ users(where: {balance: {_eq: ACTIVE}}) { id } }' },
      {
        message: 'ACTIVE is no value of a scalar: write it in quotes',
        locations: [{ line: 1, column: 32 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: 'query ($x: Int) { users(where: {meta: {_eq: {a: $x}}}) { id } }' },
      {
        message: 'A variable cannot stand inside the literal of a scalar: make the whole value a variable',
        locations: [{ line: 1, column: 45 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: '{ search(text: "a\\u0000") { __typename } }' },
      {
        message: 'String cannot hold the character U+0000',
        locations: [{ line: 1, column: 16 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: 'query ($x: Usr) { users { id } }' },
      {
        message: 'Unknown type "Usr". Did you mean "User"?',
        locations: [{ line: 1, column: 12 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', statusCode: 400 },
      },
    ],
    [
      { query: 'query ($id: ID!) { user(id: $id) { id } }' },
      {
        message: 'Variable "$id" of required type "ID!" was not provided.',
        locations: [{ line: 1, column: 8 }],
        extensions: { path: ['id'], code: 'BAD_USER_INPUT', statusCode: 400 },
      },
    ],
  ]
  for (const [body, error] of cases) {
    const old = await served.post(body, OLD)
    t.equal(old.status, 200)
    t.strictSame(old.json<{ errors: unknown[] }>().errors[0], error)
    t.notOk('data' in old.json<object>())
    const fresh = await served.post(body, NEW)
    t.equal(fresh.status, 400)
    t.equal(fresh.headers['content-type'], RESPONSE_TYPE)
    t.equal(fresh.text, old.text)
  }
})

t.test('errors of the engine', async (t) => {
  let result: Result = { data: null, errors: [] }
  const served = await serve(t, { resolve: () => result })
  const send = (headers = OLD) => served.post({ query: '{ users { id } }' }, headers)

  const limit = new SvcError('BAD_USER_INPUT', 'limit must not be negative.', {
    path: ['users'],
    locations: [{ line: 1, column: 3 }],
    details: { argument: 'limit' },
  })
  result = { data: '{"users":null}', errors: [limit] }
  for (const headers of [OLD, NEW]) {
    t.equal((await send(headers)).status, 200, 'a data entry: 200')
    t.equal(
      (await send(headers)).text,
      '{"errors":[{"message":"limit must not be negative.","locations":[{"line":1,"column":3}],"path":["users"],"extensions":{"argument":"limit","code":"BAD_USER_INPUT","statusCode":400}}],"data":{"users":null}}',
    )
  }
  result = { data: null, errors: [limit] }
  t.equal((await send(NEW)).status, 200)
  t.match((await send(NEW)).json(), { data: null, errors: [{}] })
  result = { data: '{}', errors: [] }
  t.equal((await send()).text, '{"data":{}}')

  const down = new SvcError('SERVICE_UNAVAILABLE', 'The database cannot be reached.', { retryAfter: 2 })
  result = { data: null, errors: [down] }
  for (const headers of [OLD, NEW]) {
    const reply = await send(headers)
    t.equal(reply.status, 503)
    t.equal(reply.headers['retry-after'], '2')
    t.match(reply.json(), { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE', retryAfter: 2 } }] })
    t.notOk('data' in reply.json<object>())
  }
  t.equal(served.takeReported().length, 2, 'the log hears of it')
})

t.test('errors of authorize and of the engine', async (t) => {
  let failure: unknown
  const served = await serve(t, {
    resolve() {
      throw failure
    },
  })
  const send = (headers = OLD) => served.post({ query: '{ users { id } }' }, headers)
  failure = new SvcError('FORBIDDEN', 'Forbidden: missing scope read:user')
  t.equal((await send()).status, 200)
  t.equal((await send(NEW)).status, 403)
  t.notOk('data' in (await send()).json<object>())
  failure = new SvcError('SERVICE_UNAVAILABLE', 'No connection.', { retryAfter: 1 })
  t.equal((await send()).status, 503)
  t.equal((await send(NEW)).headers['retry-after'], '1')
  failure = new Error('password=secret at SELECT * FROM t')
  const reply = await send()
  t.equal(reply.status, 200)
  t.notMatch(reply.text, /secret|SELECT/)
  t.match(reply.json(), {
    errors: [
      {
        message: 'An internal error occurred.',
        extensions: { code: 'INTERNAL_SERVER_ERROR', statusCode: 500, errorId: /^[\w-]{36}$/ },
      },
    ],
  })
  t.equal((await send(NEW)).status, 500)
  const reported = served.takeReported()
  t.match(reported.at(-1), { type: 'request-failed', error: failure, errorId: String })
  failure = new SvcError('SVC_CONFIG_INVALID', 'boot talk')
  t.match((await send()).json(), { errors: [{ message: 'An internal error occurred.' }] })
  served.takeReported()
})

t.test('an invalid credential: 401 in both media types', async (t) => {
  const guard = definePlugin<unknown>(
    { name: 'guard', version: '1.0.0', kernelApi: 1, description: 'Refuses.' },
    (scope) => {
      scope.on('authenticate', () => {
        throw new SvcError('UNAUTHENTICATED', 'The token is not valid.')
      })
    },
  )
  const served = await serve(t, { dependencies: [guard] })
  for (const headers of [OLD, NEW]) {
    const reply = await served.post({ query: '{ answer }' }, headers)
    t.equal(reply.status, 401)
    t.match(reply.json(), {
      errors: [{ message: 'The token is not valid.', extensions: { code: 'UNAUTHENTICATED', statusCode: 401 } }],
    })
  }
  t.equal((await served.post({ query: '{ answer }' }, { accept: 'text/csv' })).headers['content-type'], JSON_TYPE)
})

t.test('GET', async (t) => {
  const served = await serve(t, {
    resolve: (_ctx, operation) => ({ data: JSON.stringify(operation.variables), errors: null }),
  })
  const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    served.inject({ url: `/graphql?${new URLSearchParams(parameters)}`, headers })
  const query = 'query A($id: ID!) { user(id: $id) { id } }'
  t.equal(
    (await get({ query, variables: '{"id":5}', operationName: 'A', extensions: '{}' })).text,
    '{"data":{"id":"5"}}',
  )
  t.equal((await get({ query: '{ answer }', variables: '' })).status, 200)
  t.match((await get({ query, variables: '{' })).json(), {
    errors: [{ message: /^The parameter "variables" is not valid JSON: / }],
  })
  t.match((await get({ query: '{ answer }', foo: '1' })).json(), { errors: [{ message: /^Unknown field "foo"/ }] })
  t.match((await served.inject({ url: '/graphql?query={answer}&query={answer}' })).json(), {
    errors: [{ message: 'The parameter "query" is given twice.' }],
  })
  t.equal((await served.inject({ url: '/graphql' })).status, 400)
  t.equal(
    (await served.inject({ url: '/graphql', headers: { accept: 'text/html' } })).status,
    406,
    'no query editor here',
  )
  for (const headers of [OLD, NEW]) {
    const reply = await get({ query: 'mutation { lockUsers(ids: []) }' }, headers)
    t.equal(reply.status, 405)
    t.equal(reply.headers.allow, 'POST')
    t.match(reply.json(), {
      errors: [
        { message: 'Mutations are not allowed over GET: use POST.', extensions: { code: 'METHOD_NOT_ALLOWED' } },
      ],
    })
  }
})

t.test('for other plugins: documents, pages, subscriptions, SDL', async (t) => {
  let api: GraphQLApi | null = null
  const friend = definePlugin<unknown>(
    { name: 'friend', version: '1.0.0', kernelApi: 1, description: 'Uses it all.', dependencies: ['graphql'] },
    (scope) => {
      const used = scope.use('graphql')
      api = used
      used.enableSubscriptions()
      used.serveHtml(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' }))
      t.throws(() => used.serveHtml(() => ({ status: 200, headers: {}, body: '' })), { code: 'SVC_PROVIDE_DUPLICATE' })
      scope.on('graphql:document', (request: GraphQLRequest) => {
        if (request.other.id === 'late') return Promise.resolve({ ...request, query: '{ answer }' })
        return request.other.id === 'now' ? { ...request, query: '{ answer }' } : undefined
      })
    },
  )
  const tested = await openPlugin(t, friend, {
    dependencies: [
      {
        plugin: graphql,
        options: { introspection: true, document_cache_bytes: 1e6, failed_document_cache_bytes: 1e6 },
      },
    ],
    schema: linkShop(),
  })
  const page = { accept: 'text/html,*/*' }
  t.equal((await tested.inject({ url: '/graphql', headers: page })).text, '<p>')
  t.equal((await tested.inject({ url: '/graphql?theme=dark', headers: page })).text, '<p>')
  t.equal((await tested.inject({ url: '/graphql?query={answer}', headers: page })).text, '{"data":{}}')
  for (const id of ['now', 'late']) {
    t.equal((await tested.inject({ method: 'POST', url: '/graphql', body: { id } })).text, '{"data":{}}', id)
  }
  t.equal((await tested.inject({ method: 'POST', url: '/graphql', body: { id: 'x' } })).status, 400)
  const subscription = await tested.inject({
    method: 'POST',
    url: '/graphql',
    body: { query: 'subscription { userCreated { id } }' },
  })
  t.equal(subscription.status, 400)
  t.match(subscription.json(), {
    errors: [
      {
        message:
          'Subscriptions are streams: use a WebSocket, or send `Accept: text/event-stream` where that is served.',
        extensions: { code: 'REQUEST_ERROR' },
      },
    ],
  })
  const used = api as unknown as GraphQLApi
  t.equal(used.endpoint, '/graphql')
  t.match(used.printSchema(tested.kernel.generation), /type Subscription \{\n {2}userCreated: User!\n\}/)
  const request: GraphQLRequest = {
    query: '{ nope }',
    variables: null,
    operationName: null,
    extensions: null,
    other: {},
  }
  try {
    await used.prepare(tested.exchange(), request)
    t.fail('should throw')
  } catch (error) {
    t.match(used.renderErrors(tested.exchange(), error), [{ message: /^Cannot query field "nope"/ }])
  }
})
