import type { HttpExchange, MaybePromise, MutationModel, Reply } from '../../core/doors/plugin.ts'
import { type StreamParts, serveChanges } from './read/serve-changes.ts'
import { serveRows } from './read/serve-rows.ts'
import { serveValue } from './read/serve-value.ts'
import { bodyArguments } from './request/body-arguments.ts'
import { readJsonBody } from './request/json-body.ts'
import { listOf } from './routes/many-places.ts'
import type { RestRoute } from './routes/rest-route.ts'
import { serveMatching } from './write/serve-matching.ts'
import { serveWrite } from './write/serve-write.ts'
import type { WriteParts } from './write/write-parts.ts'

type RestHandler = (ctx: HttpExchange) => MaybePromise<Reply>

/** What answers a route. */
export function handlerOf(
  route: RestRoute,
  routes: readonly RestRoute[],
  parts: WriteParts & StreamParts,
): RestHandler {
  const { operation, method, otherArguments } = route
  if (operation.kind === 'mutation') return writerOf(route, operation, routes, parts)
  const { named } = operation
  if (route.kind === 'stream' && named.kind === 'object') return serveChanges(route, operation, named, parts)
  const serve =
    named.kind === 'object' && route.kind !== 'value'
      ? serveRows(route, operation, named, parts)
      : serveValue(route, operation, parts)
  if (method === 'GET') return (ctx) => serve(ctx)
  return async (ctx) => serve(ctx, bodyArguments(otherArguments, await readJsonBody(ctx, otherArguments.length === 0)))
}

function writerOf(
  route: RestRoute,
  mutation: MutationModel,
  routes: readonly RestRoute[],
  parts: WriteParts,
): RestHandler {
  const { kind, resource } = route
  if (kind !== 'update-many' && kind !== 'delete-many') return serveWrite(route, mutation, parts)
  const list = resource === null ? null : listOf(routes, resource)
  if (list === null) throw new Error(`${route.path} has no list of rows to choose from`)
  return serveMatching(route, mutation, list, parts)
}
