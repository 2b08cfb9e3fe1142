import type { AfterMutation, BeforeMutation, Middleware } from '../../core/doors/command.ts'
import { definePlugin, type MutationModel, type SchemaModel, SvcError } from '../../core/doors/plugin.ts'
import { AFTER, BEFORE, isNamed, MIDDLEWARE } from './kinds.ts'
import manifest from './manifest.ts'
import { runAfter, runBefore } from './run-hooks.ts'
import { runMiddleware } from './run-middleware.ts'

/**
 * The plugin that runs the schema author's functions: middleware for requests, and hooks before and after mutations.
 */
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
    // The reply may depend on any header.
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

/** The author's functions of one schema, in the order of their declaration. */
interface AuthorChains {
  /** `null` without middleware. */
  readonly middleware: readonly Middleware[] | null
  /** By mutation, for mutations with hooks. */
  readonly before: ReadonlyMap<MutationModel, readonly BeforeMutation[]>
  readonly after: ReadonlyMap<MutationModel, readonly AfterMutation[]>
}

/** @throws SvcError SVC_SCHEMA_INVALID when an export is not a function any more, or a mutation was removed */
function buildChains({ authorFunctions, mutations }: SchemaModel): AuthorChains {
  const middleware: Middleware[] = []
  const before = new Map<MutationModel, BeforeMutation[]>()
  const after = new Map<MutationModel, AfterMutation[]>()
  for (const { kind, name, module, export: exported, value } of authorFunctions) {
    if (kind !== MIDDLEWARE && kind !== BEFORE && kind !== AFTER) continue
    const fault = (what: string) =>
      new SvcError('SVC_SCHEMA_INVALID', `${module}: ${kind} "${name}": ${what} Run \`svc compile\` again.`)
    if (typeof value !== 'function') throw fault(`the export "${exported}" is no function.`)
    if (kind === MIDDLEWARE) {
      middleware.push(value as Middleware)
      continue
    }
    const mutation = [...mutations.values()].find((one) => isNamed(one.name, name))
    if (mutation === undefined) throw fault('there is no mutation of this name.')
    if (kind === BEFORE) add(before, mutation, value as BeforeMutation)
    else add(after, mutation, value as AfterMutation)
  }
  return { middleware: middleware.length === 0 ? null : middleware, before, after }
}

function add<F>(hooks: Map<MutationModel, F[]>, mutation: MutationModel, hook: F): void {
  const own = hooks.get(mutation)
  if (own === undefined) hooks.set(mutation, [hook])
  else own.push(hook)
}
