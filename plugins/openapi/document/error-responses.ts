import { CODES } from '../../../core/doors/front.ts'
import { ANSWER_HEADERS } from '../../rest/api.ts'
import type { Components } from './components.ts'
import type { Json } from './json.ts'
import { objectSchema } from './type-schemas.ts'

interface ErrorKind {
  readonly name: string
  readonly description: string
  readonly headers?: readonly string[]
}

/** Headers of errors that a repeated write with an `Idempotency-Key` can receive again. */
const KEPT = ['idempotency-replayed']

/** Error responses by status (docs/guides/rest.md#when-something-is-wrong). */
const KINDS: Readonly<Record<number, ErrorKind>> = {
  400: {
    name: 'BadRequest',
    description: 'The request cannot be read: a parameter, an operator, the body, or a limit.',
    headers: KEPT,
  },
  401: {
    name: 'Unauthenticated',
    description: 'No credential, or one that is not valid.',
    headers: ['www-authenticate'],
  },
  403: { name: 'Forbidden', description: 'The credential does not carry the right.' },
  404: { name: 'NotFound', description: 'There is no such row.', headers: KEPT },
  406: { name: 'NotAcceptable', description: 'No media type in `Accept` can be produced.' },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time.' },
  409: {
    name: 'Conflict',
    description:
      'Another row has it already, or the function says so, or the first request with this `Idempotency-Key` is under way.',
    headers: ['retry-after', ...KEPT],
  },
  412: { name: 'PreconditionFailed', description: 'The row is another one by now than `If-Match` says.' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  422: {
    name: 'Invalid',
    description: 'A value is not what its place wants, a rule refuses it, or a function raised an error of its own.',
    headers: KEPT,
  },
  429: { name: 'RateLimited', description: 'More requests than the limit allows.', headers: ['retry-after'] },
  500: {
    name: 'InternalError',
    description: 'A fault in the service. The log has the reason under `details.errorId`.',
  },
  501: { name: 'NotImplemented', description: 'What this does needs a plugin that is not running.' },
  503: { name: 'Unavailable', description: 'The database cannot be reached.', headers: ['retry-after'] },
  504: { name: 'Timeout', description: 'The request took too long, and was stopped.' },
}

/**
 * Returns a `$ref` to the OpenAPI response for an error status, and adds this response to the components.
 * @throws Error for a status that is not an error
 */
export function errorResponse(status: number, components: Components): Json {
  const kind = KINDS[status]
  if (kind === undefined) throw new Error(`No error has the status ${status}`)
  return components.refer('responses', String(status), kind.name, () => ({
    description: kind.description,
    ...(kind.headers === undefined ? {} : { headers: headerObjects(kind.headers) }),
    content: { 'application/json': { schema: errorSchema(status, kind, components) } },
  }))
}

/**
 * Returns a `$ref` to the OpenAPI response `default`, for errors that the author's functions raise with their own
 * codes.
 */
export function otherError(components: Components): Json {
  return components.refer('responses', 'other', 'Error', () => ({
    description: 'Any other error: those of functions keep the code, and the status, that they raise.',
    content: { 'application/json': { schema: anyError(components) } },
  }))
}

function anyError(components: Components): Json {
  return components.schema('error', 'Error', () => envelope({ type: 'string' }, { type: 'object' }))
}

function errorSchema(status: number, { name }: ErrorKind, components: Components): Json {
  const codes = Object.entries(CODES).flatMap(([code, row]) => (row.status === status && row.exposed ? [code] : []))
  const more = MORE[status] ?? []
  return components.schema(`error ${status}`, `${name}Error`, () =>
    envelope(
      {
        type: 'string',
        description: `Such as ${[...codes.filter((code) => !OF_GRAPHQL.has(code)), ...more].map((code) => `\`${code}\``).join(', ')}. Functions may raise codes of their own.`,
      },
      detailsSchema(status, components),
    ),
  )
}

/** Codes with a status other than their default. */
const MORE: Readonly<Record<number, readonly string[]>> = { 422: ['VALIDATION_ERROR'] }
/** Codes of GraphQL only. */
const OF_GRAPHQL: ReadonlySet<string> = new Set([
  'PARSE_ERROR',
  'GRAPHQL_VALIDATION_FAILED',
  'REQUEST_ERROR',
  'FORBIDDEN_QUERY',
  'DOCUMENT_NOT_FOUND',
  'PERSISTED_QUERY_MISMATCH',
])

function envelope(code: Json, details: Json): Json {
  const error = objectSchema(
    undefined,
    [
      ['code', code],
      ['message', { type: 'string', description: 'What is wrong, for people.' }],
      ['details', details],
    ],
    ['code', 'message', 'details'],
    true,
  )
  return objectSchema(undefined, [['error', error]], ['error'], true)
}

const TEXTS: Json = { type: 'array', items: { type: 'string' } }

function detailsSchema(status: number, components: Components): Json {
  if (status !== 400 && status !== 422) return { type: 'object' }
  return components.schema('details', 'InvalidDetails', () =>
    objectSchema(
      'What is wrong where. Which members there are, the code says.',
      [
        ['fields', { type: 'array', items: fieldProblem(components), description: 'Values that cannot be taken.' }],
        ['parameter', { type: 'string', description: 'The parameter that it is about.' }],
        ['field', { type: 'string', description: 'The field that it is about.' }],
        ['operator', { type: 'string', description: 'The operator that the field does not have.' }],
        ['available', { ...TEXTS, description: 'What there is instead.' }],
        ['index', { type: 'integer', description: 'Of a list in the body: the element that it is about.' }],
      ],
      [],
      false,
    ),
  )
}

function fieldProblem(components: Components): Json {
  return components.schema('field-problem', 'FieldProblem', () =>
    objectSchema(
      undefined,
      [
        ['index', { type: 'integer', description: 'Of a list in the body: the element that it is in.' }],
        ['field', { type: 'string' }],
        ['reason', { type: 'string' }],
        [
          'path',
          {
            type: 'array',
            items: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
            description: 'Of a rule of the schema: the place in the body.',
          },
        ],
        ['context', { type: 'object', description: 'Of a rule of the schema: which, and what it wants.' }],
      ],
      ['field', 'reason'],
      true,
    ),
  )
}

const SPELLINGS: Readonly<Record<string, string>> = { etag: 'ETag', 'www-authenticate': 'WWW-Authenticate' }

/** Returns OpenAPI header objects by name, for a response. @param names header names in lower case */
export function headerObjects(names: readonly string[]): Json {
  return Object.fromEntries(
    names.map((name) => [
      SPELLINGS[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      {
        description: ANSWER_HEADERS[name],
        schema: {
          type:
            name === 'x-rows-affected' || name === 'retry-after' || name === 'x-stream-batch-size'
              ? 'integer'
              : 'string',
        },
      },
    ]),
  )
}
