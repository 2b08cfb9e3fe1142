import { definePlugin } from '../../core/index.ts'
import { buildChains } from './author-chains.ts'
import manifest from './manifest.ts'
import { runAfter, runBefore } from './run-hooks.ts'
import { runMiddleware } from './run-middleware.ts'

/** The functions of the schema's author: they come with a schema and go with it. */
export default definePlugin(manifest, (scope) => {
  const chains = scope.perGeneration(buildChains)

  scope.on('onRequest', (ctx, next) => {
    const { middleware } = chains.of(ctx.generation)
    return middleware === null ? next() : runMiddleware(middleware, ctx, scope.identify, next)
  })

  scope.on('mutation:before', (ctx, call) => {
    const hooks = chains.of(ctx.generation).before.get(call.root.operation)
    return hooks === undefined ? undefined : runBefore(hooks, ctx, call)
  })

  scope.on('mutation:after', (ctx, call, writes) => {
    const hooks = chains.of(ctx.generation).after.get(call.root.operation)
    return hooks === undefined ? undefined : runAfter(hooks, ctx, call, writes)
  })
})
