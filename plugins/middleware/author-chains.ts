import type { AfterMutation, BeforeMutation, Middleware } from '../../core/doors/command.ts'
import { type MutationModel, type SchemaModel, SvcError } from '../../core/doors/plugin.ts'
import { AFTER, BEFORE, isNamed, MIDDLEWARE } from './kinds.ts'

/** The author's functions of one schema, in the order of their declaration. */
export interface AuthorChains {
  /** `null`: there is none. */
  readonly middleware: readonly Middleware[] | null
  /** Of the mutations that have some. */
  readonly before: ReadonlyMap<MutationModel, readonly BeforeMutation[]>
  readonly after: ReadonlyMap<MutationModel, readonly AfterMutation[]>
}

/** @throws SvcError SVC_SCHEMA_INVALID where a module exports something else by now, or a mutation has gone */
export function buildChains({ authorFunctions, mutations }: SchemaModel): AuthorChains {
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
