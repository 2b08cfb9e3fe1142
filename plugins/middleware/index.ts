import { definePlugin, type MutationModel } from '../../core/doors/plugin.ts'
import { buildChains } from './author-chains.ts'
import manifest from './manifest.ts'
import { runAfter, runBefore } from './run-hooks.ts'
import { runMiddleware } from './run-middleware.ts'

/** The functions of the schema's author: they come with a schema and go with it. */
export default definePlugin(manifest, (scope) => {
  const named = { before: new WeakSet<MutationModel>(), after: new WeakSet<MutationModel>() }
  const chains = scope.perGeneration((schema) => {
    const built = buildChains(schema)
    for (const mutation of built.before.keys()) named.before.add(mutation)
    for (const mutation of built.after.keys()) named.after.add(mutation)
    return built
  })

  scope.on('onRequest', (ctx, next) => {
    const { middleware } = chains.of(ctx.generation)
    if (middleware === null) return next()
    // Which headers the answer follows from is the author's affair.
    if (ctx.transport === 'http') ctx.keepPrivate()
    return runMiddleware(middleware, ctx, scope.pipeline.identify, next)
  })

  scope.on(
    'mutation:before',
    (ctx, call) => runBefore(chains.of(ctx.generation).before.get(call.root.operation) ?? [], ctx, call),
    { mutations: (mutation) => named.before.has(mutation) },
  )

  scope.on(
    'mutation:after',
    (ctx, call, writes) => runAfter(chains.of(ctx.generation).after.get(call.root.operation) ?? [], ctx, call, writes),
    { mutations: (mutation) => named.after.has(mutation) },
  )
})
