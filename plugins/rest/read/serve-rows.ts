import { http, type LentText, queryStrings, type ResultRoot, rootsOf, streamBody } from '../../../core/doors/front.ts'
import {
  type Exchange,
  type HttpExchange,
  isPromise,
  type MaybePromise,
  type ObjectType,
  type Operation,
  type PublicError,
  type QueryModel,
  type Reply,
  type Result,
  SvcError,
  WrappedText,
} from '../../../core/doors/plugin.ts'
import type { Caching } from '../reply/caching.ts'
import { deprecatedFilter, deprecatedValues } from '../reply/deprecation.ts'
import { cursorEnvelope, offsetEnvelope, type PageInfo } from '../reply/links.ts'
import { JSON_TYPE } from '../reply/render-error.ts'
import { AppliedPreferences, readPreferences } from '../request/preferences.ts'
import type { ReadRequest } from '../request/read-request.ts'
import { badRequest } from '../request/refusals.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { embedFilters, filterVariable } from '../template/embeds.ts'
import { nodesOfEdges, withoutCountMarks } from '../template/mark.ts'
import { type ReadTemplate, ROWS, TOTAL, variablesOf } from '../template/read-template.ts'
import type { TemplateCache } from '../template/template-cache.ts'
import { pathArguments } from './read-arguments.ts'
import { ParameterReader } from './read-parameters.ts'

/** Options of `[rest]` for routes that read. */
export interface ReadSettings extends RequestLimits {
  readonly ndjson_batch_size: number
}

/** Dependencies of the handlers of REST routes that read. */
export interface ReadParts {
  readonly options: ReadSettings
  readonly templates: TemplateCache
  readonly caching: Caching
  /** Maximum number of rows in a list (`svc.max_rows`). 0: no limit. */
  readonly maxRows: number
  readonly run: (ctx: HttpExchange, operation: Operation) => MaybePromise<Result>
  readonly show: ShowError
}

/** Creates the handler of a REST route that returns rows of one type: a list, or a single row. */
export function serveRows(route: RestRoute, query: QueryModel, type: ObjectType, parts: ReadParts) {
  const { options, templates, caching, run } = parts
  const reader = new ParameterReader(route, query, type, options, parts.maxRows)
  const id = `${route.method} ${route.path}`
  const deprecated = deprecatedValues(query)
  const isList = route.kind === 'collection'
  const produced: readonly ('application/json' | 'application/x-ndjson')[] =
    isList && !query.relay ? ['application/json', 'application/x-ndjson'] : ['application/json']

  return (ctx: HttpExchange, body: Readonly<Record<string, unknown>> | null = null): MaybePromise<Reply> => {
    const streamed = http.acceptable(ctx.headers.accept, produced) === 'application/x-ndjson'
    const fromPath = pathArguments(route, ctx)
    const args = route.byField ? { ...body } : { ...body, ...fromPath }
    const read = reader.read(queryStrings.readPairs(ctx.queryString), args, streamed)
    const request = route.byField ? { ...read, where: equalTo(fromPath) } : read
    const applied = new AppliedPreferences()
    const counted = isList && wantsCount(ctx, applied)
    if (streamed && counted) throw badRequest('A stream is not counted: leave out Prefer: count.')
    const built = templates.get(id, query, request, { counted, streamed })
    http.announceDeprecated(
      ctx,
      built.deprecated ?? deprecated.arguments(request.args) ?? deprecated.filter(request.where),
    )
    const variables = variablesOf(request)
    if (request.embedded.length > 0) {
      Object.assign(variables, embedFilters(built.embeds, request.embedded))
      for (const { path, type: embedded } of built.embeds.values())
        http.announceDeprecated(ctx, deprecatedFilter(embedded, variables[filterVariable(path)]))
    }
    if (streamed) {
      const operation: Operation = {
        template: built.template,
        variables,
        form: 'rows',
        batchSize: options.ndjson_batch_size,
      }
      const send = async (result: Result): Promise<Reply> => {
        // A masked field is an error, although rows follow. The stream is closed unread.
        if (result.errors !== null) await result.stream?.close()
        refuseErrors(result)
        return serveStream(ctx, operation, result, built.counts, parts.show)
      }
      const result = run(ctx, operation)
      return isPromise(result) ? result.then(send) : send(result)
    }
    const operation: Operation = { template: built.template, variables }
    const finish = (result: Result): Reply => {
      const text = isList ? listText(ctx, request, operation, result, built) : rowText(operation, result, built)
      const headers: Record<string, string | readonly string[]> = { 'content-type': JSON_TYPE }
      applied.writeTo(headers)
      return caching.answer(ctx, query, headers, text)
    }
    const result = run(ctx, operation)
    return isPromise(result) ? result.then(finish) : finish(result)
  }
}

/** Returns the filter of a route whose path contains a field of the row. */
function equalTo(values: Readonly<Record<string, unknown>>): ReadRequest['where'] {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { _eq: value }]))
}

function wantsCount(ctx: HttpExchange, applied: AppliedPreferences): boolean {
  const count = readPreferences(ctx.headers.prefer).get('count')
  if (count === 'exact') applied.apply('count', 'exact')
  // The exact number replaces an estimate.
  else if (count === 'planned' || count === 'estimated') applied.fallBack('count=exact')
  else return false
  return true
}

/** Throws the first error of a result, because REST replies contain no partial results. */
export function refuseErrors({ errors }: Result): void {
  if (errors !== null && errors.length > 0) throw errors[0]
}

/** Returns the reply body for a result with a single row. @throws SvcError NOT_FOUND; errors of the query */
export function rowText(operation: Operation, result: Result, { counts }: ReadTemplate): string | WrappedText {
  refuseErrors(result)
  const [root] = rootsOf(operation, result)
  const text = root?.text ?? 'null'
  if (text.length === 4 && String(text) === 'null') throw new SvcError('NOT_FOUND', 'There is no such row.')
  return wrapped('{"data":', counts ? withoutCountMarks(String(text)) : text, '}')
}

function listText(
  ctx: HttpExchange,
  request: ReadRequest,
  operation: Operation,
  result: Result,
  { counts }: ReadTemplate,
): string | WrappedText {
  refuseErrors(result)
  const roots = rootsOf(operation, result)
  const rows = roots.find(({ key }) => key === ROWS)
  if (rows === undefined) throw new Error('The result of a list has no rows')
  const { page, kept } = request
  const { pathname } = ctx
  if (page?.kind === 'cursor')
    return connectionText(String(rows.text), (info, total) => cursorEnvelope(pathname, kept, page, info, total), counts)
  const items = rows.items ?? ''
  const total = totalOf(rows, roots)
  const facts = { hasNext: rows.hasNext, total }
  const after = offsetEnvelope(pathname, kept, page ?? { kind: 'offset', limit: null, offset: null }, facts)
  return wrapped('{"data":[', counts ? withoutCountMarks(String(items)) : items, `],${after}}`)
}

function totalOf(rows: ResultRoot, roots: readonly ResultRoot[]): number | null {
  const root = roots.find(({ key }) => key === TOTAL)
  const text = root === undefined ? rows.totalCount : withoutCountMarks(String(root.text))
  return text === null ? null : Number(text)
}

/** Converts the connection `{"page":{…},"edges":[{"~mark":{…}},…]}` to a body with the nodes. */
function connectionText(
  text: string,
  envelope: (info: PageInfo, total: number | null) => string,
  counts: boolean,
): string {
  const edges = text.indexOf('"edges":')
  const head = JSON.parse(`${text.slice(0, edges).replace(/,\s*$/, '')}}`) as { page: PageInfo; total?: number }
  const nodes = nodesOfEdges(text.slice(edges + 8))
  return `{"data":[${counts ? withoutCountMarks(nodes) : nodes}],${envelope(head.page, head.total ?? null)}}`
}

function wrapped(before: string, text: string | LentText, after: string): string | WrappedText {
  return typeof text === 'string' ? `${before}${text}${after}` : new WrappedText(before, text, after)
}

/** Converts an error that occurs in the middle of a stream. */
type ShowError = (error: unknown, exchange: Exchange) => PublicError

/**
 * Streams rows from a cursor as lines of JSON. The next batch is read when the client has received the previous one. An error becomes
 * the last line, `{ "error": … }`.
 */
async function serveStream(
  ctx: HttpExchange,
  operation: Operation,
  result: Result,
  counts: boolean,
  show: ShowError,
): Promise<Reply> {
  const { stream } = result
  if (stream === undefined || stream.form !== 'rows') throw new Error('The result has no stream of rows')
  const line = (row: string): string => {
    const text = counts ? withoutCountMarks(row) : row
    // Stored JSON can contain line breaks. Outside of strings they are white space.
    return `${/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text}\n`
  }
  const end = (error: unknown): string => {
    const failure = error ?? stream.errors[0]
    if (failure === undefined || failure === null) return ''
    const { code, message, details } = show(failure, ctx)
    return `${JSON.stringify({ error: { code, message, details } })}\n`
  }
  return {
    status: 200,
    headers: {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      vary: 'Accept, Prefer',
      'x-stream-batch-size': String(operation.batchSize),
    },
    body: streamBody(stream, (batch) => batch.map(line).join(''), end),
  }
}
