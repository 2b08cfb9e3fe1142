import { createOperationMaker } from '../../core/doors/front.ts'
import { definePlugin, type HttpExchange, type Route, SvcError } from '../../core/doors/plugin.ts'
import { loadArrow } from './load-arrow.ts'
import manifest from './manifest.ts'
import type { ArrowOptions } from './options.ts'
import { serveQuery } from './serve-query.ts'
import { StreamSlots } from './stream-slots.ts'

/**
 * The plugin that serves columnar queries as Apache Arrow streams: a GET and a POST route per query. It loads the Arrow
 * package only if the schema has such a query.
 */
export default definePlugin<ArrowOptions>(manifest, (scope, options) => {
  // Shared by all generations: streams of a replaced schema continue.
  const slots = new StreamSlots(options.max_concurrent)
  scope.routes(async (schema) => {
    const queries = [...schema.arrowQueries.values()]
    if (!options.enabled || queries.length === 0) return []
    const arrow = await loadArrow()
    const parts = {
      arrow,
      options,
      slots,
      maker: createOperationMaker(),
      run: scope.engine.run,
      show: scope.pipeline.toPublicError,
    }
    return queries.flatMap((query): Route[] => {
      const path = `${options.path}/${query.wireName}`
      const serve = serveQuery(query, parts)
      const handler = options.require_auth ? guarded(serve) : serve
      return [
        { method: 'GET', path, handler },
        { method: 'POST', path, handler },
      ]
    })
  })
})

type Handler = Route['handler']

function guarded(serve: Handler): Handler {
  return (ctx: HttpExchange) => {
    if (ctx.auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
    return serve(ctx)
  }
}
