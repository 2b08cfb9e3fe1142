import { http, queryStrings, refuseMasked, rootsOf } from '../../../core/doors/front.ts'
import {
  type HttpExchange,
  type MaybePromise,
  type ObjectType,
  type Operation,
  type QueryModel,
  type Reply,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import { deprecatedValues } from '../reply/deprecation.ts'
import { operatorOfField } from '../request/field-filter.ts'
import type { Filter } from '../request/json-filter.ts'
import type { ReadRequest } from '../request/read-request.ts'
import { badRequest } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { embedFilters } from '../template/embeds.ts'
import { nodesOfEdges, withoutCountMarks } from '../template/mark.ts'
import { type ReadTemplate, variablesOf } from '../template/read-template.ts'
import { ParameterReader } from './read-parameters.ts'
import { type ReadParts, refuseErrors } from './serve-rows.ts'
import type { RestStreamHandler, RestStreamRequest } from './stream-request.ts'

/** Dependencies of the handler for `GET {resource}/stream`. */
export interface StreamParts extends ReadParts {
  /** Checks access to an operation and applies the caller's restrictions, as `scope.engine.authorize` does. */
  readonly authorize: (ctx: HttpExchange, operation: Operation) => MaybePromise<Operation>
  /** Returns the handler that a plugin has set with `RestApi.stream`; `null`: none. */
  readonly streamer: () => RestStreamHandler | null
}

/** Paging of the query for one row. */
const ONE = { limit: null, offset: null } as const
const NO_PAGES: ReadonlySet<string> = new Set(['limit', 'offset', 'first', 'after', 'last', 'before', 'sort', 'search'])

/**
 * Creates the handler of `GET {resource}/stream`. It reads the query string and checks access as the list route does,
 * and then calls the handler of the plugin that sends changes.
 */
export function serveChanges(route: RestRoute, query: QueryModel, type: ObjectType, parts: StreamParts) {
  const { options, templates, authorize, streamer } = parts
  const reader = new ParameterReader({ ...route, kind: 'collection' }, query, type, options, parts.maxRows)
  const id = `${route.method} ${route.path}`
  const key = type.fields.get('id')
  const deprecated = deprecatedValues(query)
  const isReadable = key !== undefined && query.autoParams.where

  function requestOf(ctx: HttpExchange): ReadRequest {
    const pairs = queryStrings.readPairs(ctx.queryString)
    refusePages(pairs)
    const { where, ...request } = reader.read(pairs, {})
    const page = query.relay
      ? ({ kind: 'cursor', direction: 'first', size: 1, after: null, before: null } as const)
      : ({ kind: 'offset', ...ONE } as const)
    // The template only depends on whether there is a filter; each read sets the id.
    return { ...request, page, where: where ?? {} }
  }

  return async (ctx: HttpExchange): Promise<Reply> => {
    http.acceptable(ctx.headers.accept, ['text/event-stream'])
    const handler = streamer()
    if (handler === null || !isReadable) throw notImplemented(handler === null, query)
    const request = requestOf(ctx)
    const built = templates.get(id, query, request, { counted: false, streamed: true })
    http.announceDeprecated(
      ctx,
      built.deprecated ?? deprecated.arguments(request.args) ?? deprecated.filter(request.where),
    )
    const shared = variablesOf(request)
    if (request.embedded.length > 0) Object.assign(shared, embedFilters(built.embeds, request.embedded))
    const operationOf = (operand: unknown): Operation => {
      const wanted: Filter = { id: { _eq: operand } }
      const where = request.where === null || isEmpty(request.where) ? wanted : { _and: [wanted, request.where] }
      return { template: built.template, variables: { ...shared, where } }
    }
    refuseMasked(await authorize(ctx, operationOf(null)))
    const lastEventId = ctx.headers['last-event-id']
    const wanted: RestStreamRequest = {
      exchange: ctx,
      route,
      type,
      query,
      lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null,
      rowOperation(id) {
        const operand = operandOf(id)
        return operand === null ? null : operationOf(operand.value)
      },
      rowOf: (operation, result) => rowText(operation, result, query, built),
    }
    return handler(wanted)
  }

  function operandOf(text: string): { readonly value: unknown } | null {
    try {
      return { value: operatorOfField(key!, 'eq').readText(text, 'id') }
    } catch {
      return null
    }
  }
}

function refusePages(pairs: readonly queryStrings.QueryPair[]): void {
  const page = pairs.find(({ name }) => NO_PAGES.has(name))
  if (page === undefined) return
  throw badRequest(`"${page.name}" is for pages, and changes come as they happen.`, { parameter: page.name })
}

function notImplemented(isMissing: boolean, { wireName }: QueryModel): SvcError {
  return new SvcError(
    'NOT_IMPLEMENTED',
    isMissing
      ? 'Streaming changes needs the observers feature, which is not running here.'
      : `Changes cannot be streamed: ${wireName} takes no filter by id, by which a row that has changed is read.`,
  )
}

function isEmpty(filter: Filter): boolean {
  return Object.keys(filter).length === 0
}

function rowText(operation: Operation, result: Result, { relay }: QueryModel, { counts }: ReadTemplate): string | null {
  refuseErrors(result)
  const text = String(rootsOf(operation, result)[0]?.text ?? 'null')
  const rows = relay
    ? nodesOfEdges(text.slice(text.indexOf('"edges":') + 8))
    : text.slice(1, text.lastIndexOf(']')).trim()
  if (text === 'null' || rows === '') return null
  return counts ? withoutCountMarks(rows) : rows
}
