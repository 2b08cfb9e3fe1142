import type { HttpExchange, MaybePromise, Reply } from '../../core/index.ts'
import { type ReadParts, serveRows } from './read/serve-rows.ts'
import { serveValue } from './read/serve-value.ts'
import { bodyArguments } from './request/body-arguments.ts'
import { readJsonBody } from './request/json-body.ts'
import type { RestRoute } from './routes/rest-route.ts'

type RestHandler = (ctx: HttpExchange) => MaybePromise<Reply>

/** What answers a route. */
export function handlerOf(route: RestRoute, parts: ReadParts): RestHandler {
  const { operation, method, otherArguments } = route
  if (operation.kind === 'mutation') throw new Error('x')
  const { named } = operation
  const serve =
    named.kind === 'object' && route.kind !== 'value'
      ? serveRows(route, operation, named, parts)
      : serveValue(route, operation, parts)
  if (method === 'GET') return (ctx) => serve(ctx)
  return async (ctx) => serve(ctx, bodyArguments(otherArguments, await readJsonBody(ctx, otherArguments.length === 0)))
}
