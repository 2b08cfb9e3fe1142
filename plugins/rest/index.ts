import { http } from '../../core/doors/front.ts'
import {
  type Config,
  definePlugin,
  type HttpExchange,
  type MaybePromise,
  type MutationModel,
  type Reply,
  type Route,
  type SchemaModel,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../health/api.ts'
import type {} from '../rate-limiting/api.ts'
import { describeRoutes } from './describe/describe-routes.ts'
import { openOnce } from './idempotency/open-once.ts'
import manifest from './manifest.ts'
import type { RestOptions } from './options.ts'
import { createPreparer, Prepared } from './prepare-request.ts'
import { type StreamParts, serveChanges } from './read/serve-changes.ts'
import { serveRows } from './read/serve-rows.ts'
import { serveValue } from './read/serve-value.ts'
import type { RestStreamHandler } from './read/stream-request.ts'
import { createCaching } from './reply/caching.ts'
import { renderRestError } from './reply/render-error.ts'
import { bodyArguments } from './request/body-arguments.ts'
import { readJsonBody } from './request/json-body.ts'
import { type DerivedRoutes, deriveRoutes } from './routes/derive-routes.ts'
import { listOf } from './routes/many-places.ts'
import type { RestResource, RestRoute } from './routes/rest-route.ts'
import { rowRoutes } from './routes/row-routes.ts'
import { unknownResource } from './routes/unknown-resource.ts'
import { TemplateCache } from './template/template-cache.ts'
import { serveMatching } from './write/serve-matching.ts'
import { serveWrite } from './write/serve-write.ts'
import type { WriteParts } from './write/write-parts.ts'

/** Types for plugins that depend on this one. */
export type * from './api.ts'

export default definePlugin<RestOptions>(manifest, async (scope, options) => {
  const tagger = options.etag ? await http.createEntityTagger() : null
  const { max_rows: maxRows } = scope.config.svc
  const { variables } = scope.config.session_variables
  const variesBy = headersOf(variables)
  const caching = createCaching(options, { tagger })
  const clientAddress = scope.use('clientAddress', { optional: true })
  const addressOf = (ctx: HttpExchange): string => clientAddress?.of(ctx) ?? ctx.address
  // Not needed: requests without an Idempotency-Key work without the store.
  scope.use('health', { optional: true })?.addStore('idempotency', { url: options.kvstore_url, isNeeded: false })
  const once = await openOnce(scope, options, variesBy, addressOf)
  const own = scope.config.server.tls.enabled ? 'https' : 'http'
  const schemeOf = (ctx: HttpExchange): string => clientAddress?.scheme(ctx) ?? own
  let streamer: RestStreamHandler | null = null
  const derived = new WeakMap<SchemaModel, DerivedRoutes>()

  /** @throws SvcError SVC_ROUTE_INVALID */
  function tableOf(schema: SchemaModel): DerivedRoutes {
    let table = derived.get(schema)
    if (table === undefined) {
      table = deriveRoutes(schema, options)
      const { faults } = table
      if (faults.length > 0) throw new SvcError('SVC_ROUTE_INVALID', faults.map(({ message }) => message).join('\n'))
      derived.set(schema, table)
    }
    return table
  }

  function pathsOf(rowRouteOf: (resource: RestResource) => RestRoute | null) {
    return ({ resource }: RestRoute, id: string): string | null => {
      const single = resource === null ? null : rowRouteOf(resource)
      // No URL can contain these ids: clients resolve them as path segments even when they are encoded.
      if (id === '' || id === '.' || id === '..') return null
      return single === null ? null : `${options.path}${single.path.replace(/\{[^}]*\}/, encodeURIComponent(id))}`
    }
  }

  function guarded(route: RestRoute, serve: Handler): Route {
    const handler = announcing(route.operation.deprecated, serve)
    return {
      method: route.method,
      path: `${options.path}${route.path.replace(/\{([^}]*)\}/g, ':$1')}`,
      crossSite: 'operation',
      handler: options.require_auth
        ? (ctx) => {
            if (ctx.auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
            return handler(ctx)
          }
        : handler,
      renderError: (ctx, error) => renderRestError(scope.pipeline.toPublicError, ctx, error, route),
    }
  }

  const preparers = new WeakMap<SchemaModel, ReturnType<typeof createPreparer>>()
  /** @param run runs operations, or replaces that */
  function mountedOf(schema: SchemaModel, run: typeof scope.engine.run, streams = true) {
    const parts = {
      options,
      caching,
      templates: new TemplateCache(options),
      maxRows,
      run,
      authorize: scope.engine.authorize,
      // A request that is only prepared opens no stream.
      streamer: () => (streams ? streamer : null),
      show: scope.pipeline.toPublicError,
      schemeOf,
      tagger,
      once,
    }
    const { routes } = tableOf(schema)
    const rowRouteOf = rowRoutes(routes)
    const whole = { ...parts, rowRouteOf, pathOf: pathsOf(rowRouteOf) }
    return routes.map((route) => guarded(route, handlerOf(route, routes, whole)))
  }

  scope.routes((schema) => [
    ...mountedOf(schema, scope.engine.run),
    unknownResource(scope.engine, options, tableOf(schema).routes),
  ])
  scope.provide('rest', {
    path: options.path,
    requireAuth: options.require_auth,
    table: ({ schema }) => tableOf(schema),
    async prepare(ctx, request) {
      const { schema } = ctx.generation
      let preparer = preparers.get(schema)
      if (preparer === undefined) {
        preparer = createPreparer(
          mountedOf(
            schema,
            (_ctx, operation) => {
              throw new Prepared(operation)
            },
            false,
          ),
        )
        preparers.set(schema, preparer)
      }
      return preparer(ctx, request)
    },
    describe: (schema) => describeRoutes(schema, { options, maxRows }),
    stream(handler) {
      if (streamer !== null)
        throw new SvcError(
          'SVC_PROVIDE_DUPLICATE',
          `GET ${options.path}/…/stream is answered by another plugin already.`,
        )
      streamer = handler
    },
  })
})

type Handler = (ctx: HttpExchange) => MaybePromise<Reply>

/** Adds the deprecation header to all replies of a deprecated route, errors included. */
function announcing(deprecated: string | undefined, serve: Handler): Handler {
  if (deprecated === undefined) return serve
  return (ctx) => {
    http.announceDeprecated(ctx, deprecated)
    return serve(ctx)
  }
}

/** Returns the headers whose values are session variables of statements. */
function headersOf(variables: Config['session_variables']['variables']): readonly string[] {
  return variables.flatMap(({ source, header }) => (source === 'header' && header !== undefined ? [header] : []))
}

type RestHandler = (ctx: HttpExchange) => MaybePromise<Reply>

/** Creates the handler of a route. */
function handlerOf(route: RestRoute, routes: readonly RestRoute[], parts: WriteParts & StreamParts): RestHandler {
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
