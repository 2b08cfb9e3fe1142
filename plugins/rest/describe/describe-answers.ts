import type { RestRoute } from '../routes/rest-route.ts'
import type { DescribedOptions } from './described-options.ts'
import { isOnce } from './headers.ts'
import type { AnswerContent, AnswerDescription } from './route-description.ts'

const JSON_TYPE = 'application/json'
const PREFERRED = ['preference-applied', 'x-preference-fallback']

/** Describes the replies of a REST route to successful requests. */
export function describeAnswers(route: RestRoute, options: DescribedOptions): readonly AnswerDescription[] {
  return route.operation.kind === 'query' ? describeReads(route, options) : describeWrites(route, options)
}

function describeReads(
  { kind, method, operation }: RestRoute,
  { etag }: DescribedOptions,
): readonly AnswerDescription[] {
  if (kind === 'stream') {
    return [answer(200, 'events', ['cache-control', 'vary'], 'Changes of rows, as they happen', 'text/event-stream')]
  }
  const relay = operation.kind === 'query' && operation.relay
  const content: AnswerContent = kind === 'single' ? 'row' : kind === 'value' ? 'value' : relay ? 'cursor-page' : 'page'
  const headers = ['cache-control', 'vary', ...(etag ? ['etag'] : []), ...(kind === 'collection' ? PREFERRED : [])]
  const { contents, ...found } = answer(
    200,
    content,
    headers,
    kind === 'collection' ? 'A page of rows' : 'The requested value',
  )
  const lines = kind === 'collection' && !relay
  const all: AnswerDescription = {
    ...found,
    headers: lines ? [...headers, 'x-stream-batch-size'] : headers,
    contents: lines ? [...contents, { type: 'application/x-ndjson', content: 'lines' }] : contents,
  }
  if (!etag || method !== 'GET') return [all]
  return [all, answer(304, null, headers, 'It is still what `If-None-Match` names')]
}

function describeWrites(route: RestRoute, options: DescribedOptions): readonly AnswerDescription[] {
  const { kind, resource, operation } = route
  const headers = ['cache-control', ...PREFERRED, ...(isOnce(route) ? ['idempotency-replayed'] : [])]
  const many = [...headers, 'x-rows-affected']
  const none = (of: readonly string[], when: string): AnswerDescription => answer(204, null, of, when)
  switch (kind) {
    case 'create':
      return [
        answer(
          201,
          'either',
          [...many, 'location'],
          'The row was made, or all rows of a list; no body with `Prefer: return=minimal`',
        ),
      ]
    case 'create-many':
      return [answer(201, 'rows', many, 'All rows were made; no body with `Prefer: return=minimal`')]
    case 'update-many':
      return [
        answer(200, 'rows', many, 'The rows that matched, as they are now'),
        none(many, 'The rows that matched were written (`Prefer: return=minimal`)'),
      ]
    case 'delete-many':
      return [
        none(many, 'The rows that matched were deleted'),
        answer(200, 'rows', many, `The rows that were deleted (${whenShown(options)})`),
      ]
    case 'delete':
      return [
        none(headers, 'The row was deleted'),
        ...(resource?.type === operation.named
          ? [answer(200, 'row', headers, `The row that was deleted (${whenShown(options)})`)]
          : []),
      ]
    default:
      return [
        answer(200, kind === 'action' ? 'value' : 'row', headers, 'It was done'),
        none(headers, 'It was done (`Prefer: return=minimal`)'),
      ]
  }
}

function whenShown({ delete_response }: DescribedOptions): string {
  return delete_response === 'entity' ? 'the default here' : '`Prefer: return=representation`'
}

function answer(
  status: number,
  content: AnswerContent | null,
  headers: readonly string[],
  when: string,
  type = JSON_TYPE,
): AnswerDescription {
  return { status, contents: content === null ? [] : [{ type, content }], headers, when }
}

/**
 * Returns the error statuses that a REST route can reply with.
 * @param heedsIfMatch `true` if the route compares the header `If-Match`
 */
export function describeRefusals({ kind, method, operation }: RestRoute, heedsIfMatch: boolean): readonly number[] {
  const isWrite = operation.kind === 'mutation'
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const isOfOneRow = isWrite || kind === 'single' || kind === 'value'
  return [
    400,
    401,
    403,
    ...(isOfOneRow ? [404] : []),
    406,
    ...(hasBody ? [408] : []),
    ...(isWrite ? [409] : []),
    ...(heedsIfMatch ? [412] : []),
    ...(hasBody ? [413] : []),
    422,
    500,
    ...(kind === 'stream' ? [501] : []),
    503,
    504,
  ]
}
