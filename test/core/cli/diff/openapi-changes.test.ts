import t from 'tap'
import { compareOpenApi } from '../../../../core/cli/diff/openapi-changes.ts'

const OK = { 200: { content: { 'application/json': { schema: { type: 'string' } } } } }
const document = (operation: object, more: object = {}) => ({
  servers: [{ url: '/rest' }],
  paths: { '/a/{id}': { get: { operationId: 'a', responses: OK, security: [{}], ...operation } } },
  ...more,
})
const parameter = (more: object) => ({ parameters: [{ name: 'p', in: 'query', schema: { type: 'string' }, ...more }] })
const body = (more: object, types = ['application/json']) => ({
  requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])), ...more },
})
const headers = (names: object) => ({ responses: { 200: { ...OK[200], headers: names } } })
const AT = 'GET /a/{id}'

const CASES: readonly (readonly [rule: string, level: string, place: string, before: object, after: object])[] = [
  ['ROUTE_REMOVED', 'breaking', AT, document({}), document({}, { paths: {} })],
  ['ROUTE_ADDED', 'safe', AT, document({}, { paths: {} }), document({})],
  ['BASE_PATH_CHANGED', 'breaking', 'servers', document({}), document({}, { servers: [{ url: '/v2' }] })],
  ['OPERATION_ID_CHANGED', 'dangerous', AT, document({}), document({ operationId: 'b' })],
  ['DEPRECATED', 'safe', AT, document({}), document({ deprecated: true })],
  ['DEPRECATION_REMOVED', 'safe', AT, document({ deprecated: true }), document({})],
  ['PARAMETER_REMOVED', 'breaking', `${AT}: p`, document(parameter({})), document({})],
  ['PARAMETER_ADDED', 'safe', `${AT}: p`, document({}), document(parameter({}))],
  ['REQUIRED_PARAMETER_ADDED', 'breaking', `${AT}: p`, document({}), document(parameter({ required: true }))],
  [
    'PARAMETER_BECAME_REQUIRED',
    'breaking',
    `${AT}: p`,
    document(parameter({})),
    document(parameter({ required: true })),
  ],
  ['PARAMETER_BECAME_OPTIONAL', 'safe', `${AT}: p`, document(parameter({ required: true })), document(parameter({}))],
  [
    'PARAMETER_STYLE_CHANGED',
    'breaking',
    `${AT}: p`,
    document(parameter({ explode: true })),
    document(parameter({ explode: false })),
  ],
  [
    'TYPE_CHANGED',
    'breaking',
    `${AT}: p`,
    document(parameter({})),
    document(parameter({ schema: { type: 'integer' } })),
  ],
  ['BODY_REMOVED', 'breaking', `${AT}: body`, document(body({})), document({})],
  ['BODY_ADDED', 'safe', `${AT}: body`, document({}), document(body({}))],
  ['REQUIRED_BODY_ADDED', 'breaking', `${AT}: body`, document({}), document(body({ required: true }))],
  ['BODY_BECAME_REQUIRED', 'breaking', `${AT}: body`, document(body({})), document(body({ required: true }))],
  ['BODY_BECAME_OPTIONAL', 'safe', `${AT}: body`, document(body({ required: true })), document(body({}))],
  [
    'MEDIA_TYPE_REMOVED',
    'breaking',
    `${AT}: body`,
    document(body({}, ['text/csv', 'a/b'])),
    document(body({}, ['a/b'])),
  ],
  ['MEDIA_TYPE_ADDED', 'safe', `${AT}: body`, document(body({}, ['a/b'])), document(body({}, ['text/csv', 'a/b']))],
  ['SUCCESS_REMOVED', 'breaking', `${AT}: 201`, document({ responses: { ...OK, 201: {} } }), document({})],
  ['SUCCESS_ADDED', 'dangerous', `${AT}: 201`, document({}), document({ responses: { ...OK, 201: {} } })],
  ['ERROR_REMOVED', 'safe', `${AT}: 409`, document({ responses: { ...OK, 409: {} } }), document({})],
  ['ERROR_ADDED', 'dangerous', `${AT}: 409`, document({}), document({ responses: { ...OK, 409: {} } })],
  ['HEADER_REMOVED', 'breaking', `${AT}: 200`, document(headers({ ETag: {} })), document(headers({}))],
  ['HEADER_ADDED', 'safe', `${AT}: 200`, document(headers({})), document(headers({ ETag: {} }))],
  [
    'SECURITY_NARROWED',
    'breaking',
    AT,
    document({ security: [{}, { jwt: [] }] }),
    document({ security: [{ jwt: [] }] }),
  ],
  ['SECURITY_WIDENED', 'safe', AT, document({ security: [{ jwt: [] }] }), document({ security: [{}, { jwt: [] }] })],
]

for (const [rule, level, place, before, after] of CASES) {
  t.test(`${rule} is ${level}`, async (t) => {
    const changes = compareOpenApi({ ...before }, { ...after })
    t.match(changes, [{ consumers: 'rest', rule, level, place }])
    t.equal(changes.length, 1, JSON.stringify(changes))
    t.strictSame(compareOpenApi({ ...after }, { ...after }), [])
  })
}

t.test('the name of a path parameter does not identify a route', async (t) => {
  const named = (name: string) => ({
    paths: {
      [`/a/{${name}}`]: {
        get: { parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }], responses: OK },
      },
    },
  })
  t.strictSame(compareOpenApi(named('id'), named('key')), [])
})
