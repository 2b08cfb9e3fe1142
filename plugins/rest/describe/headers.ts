import type { MutationModel } from '../../../core/doors/plugin.ts'
import type { RestRoute, RouteKind } from '../routes/rest-route.ts'
import { rowRoutes } from '../routes/row-routes.ts'
import { comparedRoute } from '../write/if-match.ts'
import type { DescribedOptions } from './described-options.ts'
import type { ParameterDescription } from './route-description.ts'

type HeaderParameter = Extract<ParameterDescription, { kind: 'header' }>

/** A request header that routes read. Add an entry to the table below when a route reads a further header. */
interface RequestHeader extends Omit<HeaderParameter, 'kind'> {
  readonly of: (route: RestRoute, facts: HeaderFacts) => boolean
}

/** Settings that decide which headers a route reads. */
interface HeaderFacts {
  readonly options: DescribedOptions
  /** All routes of the schema. */
  readonly routes: readonly RestRoute[]
}

const isWrite = ({ operation }: RestRoute): boolean => operation.kind === 'mutation'
const isKind =
  (...kinds: readonly RouteKind[]) =>
  ({ kind }: RestRoute): boolean =>
    kinds.includes(kind)

function upsertOf({ kind, operation }: RestRoute): MutationModel['upsert'] {
  return operation.kind === 'mutation' && (kind === 'create' || kind === 'create-many') ? operation.upsert : null
}

interface Preference {
  readonly text: string
  readonly means: string
  readonly of: (route: RestRoute) => boolean
}

const PREFERENCES: readonly Preference[] = [
  {
    text: 'count=exact',
    means: 'tell the number of all rows in `meta.total`, and the last page',
    of: (route) => route.kind === 'collection',
  },
  { text: 'return=representation', means: 'answer with the rows', of: isWrite },
  { text: 'return=minimal', means: 'answer without a body', of: isWrite },
  { text: 'tx=rollback', means: 'do everything, answer as if it were done, and undo it', of: isWrite },
  {
    text: 'resolution=merge-duplicates',
    means: 'rows of a list that are there already take what is new',
    of: (route) => upsertOf(route) !== null,
  },
  {
    text: 'resolution=ignore-duplicates',
    means: 'rows of a list that are there already stay as they are',
    of: (route) => upsertOf(route)?.resolves === true,
  },
  {
    text: 'max-affected=10',
    means: 'do nothing where more rows match; it only lowers the bound of the service',
    of: isKind('update-many', 'delete-many'),
  },
]

const HEADERS: readonly RequestHeader[] = [
  {
    name: 'If-None-Match',
    description: 'An `ETag` of an earlier answer, several, or `*`: where it is still that, 304 comes without a body.',
    example: 'W/"9f8e7d6c5b4a3921"',
    of: (route, { options }) => options.etag && route.method === 'GET' && route.kind !== 'stream',
  },
  {
    name: 'If-Match',
    description:
      'An `ETag` of the row, as `GET` of it gave it with the same `select`: where the row is another one by now, nothing is written, and the answer is 412.',
    example: 'W/"9f8e7d6c5b4a3921"',
    of: heedsIfMatch,
  },
  {
    name: 'Idempotency-Key',
    description:
      'A UUID. The same request with the same key is done once; sent again, it has the answer of the first, marked by `Idempotency-Replayed`.',
    example: '0198c0de-0000-4000-8000-000000000001',
    of: isOnce,
  },
  {
    name: 'Last-Event-ID',
    description: 'Id of the last event that the client received. Later events that are still stored are sent first.',
    example: '0198c0de-0000-7000-8000-000000000001',
    of: isKind('stream'),
  },
]

/** Tests whether a REST route compares the header `If-Match`: it writes a single row that another route reads. */
export function heedsIfMatch(route: RestRoute, { options, routes }: HeaderFacts): boolean {
  return options.etag && isWrite(route) && comparedRoute(route, rowRoutes(routes)) !== null
}

/** Tests whether a REST route honors the header `Idempotency-Key`: it is a POST that writes. */
export function isOnce(route: RestRoute): boolean {
  return route.method === 'POST' && isWrite(route)
}

/**
 * Describes the request headers of a REST route, `Prefer` first. Headers that all routes read, such as credentials, are
 * left out.
 */
export function requestHeaders(route: RestRoute, facts: HeaderFacts): readonly HeaderParameter[] {
  const preferences = PREFERENCES.filter((one) => one.of(route))
  const prefer: readonly HeaderParameter[] =
    preferences.length === 0
      ? []
      : [
          {
            kind: 'header',
            name: 'Prefer',
            description: `Preferences with commas between them (RFC 7240); \`Preference-Applied\` tells those that were followed, unknown ones are ignored.\n\n${preferences
              .map(({ text, means }) => `- \`${text}\`: ${means}`)
              .join('\n')}`,
            example: preferences[0]!.text,
          },
        ]
  const others = HEADERS.filter((one) => one.of(route, facts)).map(
    ({ of: _, ...header }): HeaderParameter => ({ kind: 'header', ...header }),
  )
  return [...prefer, ...others]
}

/** Descriptions of the response headers of REST for the OpenAPI document, by lower-case name. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  allow: 'The methods that the path has.',
  'cache-control': 'How long the answer may be kept, and by whom.',
  deprecation: 'What the request used is deprecated, since that moment (RFC 9745).',
  etag: 'Weak validator of the body, for `If-None-Match`.',
  'idempotency-replayed': '`true`: an earlier request with this `Idempotency-Key` was answered so.',
  location: 'Where the new row is read.',
  'preference-applied': 'The preferences of the request that were followed.',
  'retry-after': 'Seconds to wait before the next try.',
  vary: 'The headers of the request that the answer depends on.',
  'www-authenticate': 'How to say who asks.',
  'x-preference-fallback': 'What was done instead of a preference that could not be followed.',
  'x-rows-affected': 'The number of rows that were written.',
  'x-stream-batch-size': 'Rows that are read at once.',
}
