import { http, type Precondition } from '../../../core/doors/front.ts'
import { type HttpExchange, type Operation, type QueryModel, SvcError } from '../../../core/doors/plugin.ts'
import { readArgument } from '../read/read-arguments.ts'
import { rowText } from '../read/serve-rows.ts'
import type { ReadRequest } from '../request/read-request.ts'
import { badInput, badRequest } from '../request/refusals.ts'
import type { RestResource, RestRoute } from '../routes/rest-route.ts'
import { variablesOf } from '../template/read-template.ts'
import type { WriteParts } from './write-parts.ts'

/**
 * Returns the precondition that the header `If-Match` of a write states; `null`: none.
 * @param select value of the query parameter `select`
 */
export type IfMatch = (ctx: HttpExchange, select: string | null) => Precondition | null

/**
 * Creates the reader of `If-Match` for a route that writes a single row. The precondition holds if the row, read again
 * in the transaction of the write, has the stated `ETag`.
 */
export function ifMatchOf(route: RestRoute, parts: WriteParts): IfMatch {
  const { tagger, templates, rowRouteOf } = parts
  const [id] = route.pathArguments
  const single = comparedRoute(route, rowRouteOf)

  return (ctx, select) => {
    const given = ctx.headers['if-match']
    if (given === undefined) return null
    if (single === null) throw badRequest('If-Match is about one row, which GET shows. This is not about one.')
    if (tagger === null) throw badRequest('If-Match cannot be compared: rows have no ETag here (rest.etag).')
    const request = requestOf(single, ctx.params[id!.wireName] ?? '', select)
    const form = { counted: false, streamed: false }
    const built = templates.get(`${single.method} ${single.path}`, single.operation as QueryModel, request, form)
    const operation: Operation = { template: built.template, variables: variablesOf(request) }
    return {
      operation,
      check(result) {
        // A missing row matches no tag, and NOT_FOUND is the reply in any case.
        if (!http.matchesTag(String(given), tagger(rowText(operation, result, built)))) throw changed(single)
      },
    }
  }
}

/**
 * Returns the route that reads the row which another route writes, to compare `If-Match` with its `ETag`. `null`: there
 * is none, or the write is not about a single existing row.
 */
export function comparedRoute(
  { pathArguments, kind, resource }: RestRoute,
  rowRouteOf: (resource: RestResource) => RestRoute | null,
): RestRoute | null {
  return pathArguments.length === 1 && kind !== 'create' && resource !== null ? rowRouteOf(resource) : null
}

function requestOf(single: RestRoute, text: string, select: string | null): ReadRequest {
  const [id] = single.pathArguments
  const none = { sort: null, page: null, where: null, search: null, embedded: [], kept: '' }
  try {
    return { ...none, select, args: { [id!.wireName]: readArgument(id!, text) } }
  } catch (error) {
    throw error instanceof SvcError ? badInput(error.message, id!.wireName) : error
  }
}

function changed({ path }: RestRoute): SvcError {
  const message = `The row is not as If-Match says. Nothing was written: read it again (GET …${path}, with the same select).`
  return new SvcError('PRECONDITION_FAILED', message)
}
