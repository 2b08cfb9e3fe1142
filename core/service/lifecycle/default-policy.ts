import { SvcError } from '../../base/errors/svc-error.ts'
import type { DenialSet } from '../../contract/access.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, OperationTemplate, RootGuard, RootSelection } from '../../contract/operation.ts'
import { denialSet } from '../../engine/access/denial-set.ts'
import type { ObjectType, QueryModel, SchemaModel } from '../../schema/model.ts'
import { queriesGiving } from '../../schema/queries-giving.ts'

const NONE: readonly RootGuard[] = Object.freeze([])
const ofNodes = new WeakMap<SchemaModel, NodeGuards>()

/**
 * The queries, by name of the relay type, whose access requirements (scopes, roles, policies) apply to the type at the
 * root field `node`. A caller must meet all of them to read rows of the type.
 */
export type NodeGuards = ReadonlyMap<string, readonly RootGuard[]>

/**
 * Returns the operations whose access requirements (scopes, roles, policies) apply to a root field. A caller must meet
 * all of them. `node` may return a row of any relay type, so it has those of all types; {@link nodeGuardsOf} has them
 * by type.
 * @returns an empty list for `__typename` and introspection, to which only `security.default_policy` applies
 * @throws Error for a root field that the engine itself creates
 */
export function guardOf(root: RootSelection, schema: SchemaModel): readonly RootGuard[] {
  switch (root.kind) {
    case 'operation':
    case 'aggregate':
      return [root.operation]
    case 'rows':
      return root.query === undefined ? queriesGiving(schema, root.type) : [root.query]
    case 'node':
      return [...new Set([...nodeGuardsOf(schema).values()].flat())]
    case 'literal':
      return root.call === undefined ? NONE : [root.call.guard]
    case 'typename':
      return NONE
    case 'related':
      throw new Error(`"${root.responseKey}" is a part of the engine's own: the relation is asked for in its place.`)
  }
}

/**
 * Returns for each relay type the queries whose access requirements apply to it at the root field `node`: the type's
 * single query by `id`, else all queries that return its rows. For a type whose requirements a caller does not meet, an
 * `authorize` hook calls `access.deny("node:Type")`.
 */
export function nodeGuardsOf(schema: SchemaModel): NodeGuards {
  let guards = ofNodes.get(schema)
  if (guards === undefined) {
    guards = new Map(schema.relayTypes.map((type) => [type.name, guardOfNode(schema, type)]))
    ofNodes.set(schema, guards)
  }
  return guards
}

function guardOfNode(schema: SchemaModel, type: ObjectType): readonly RootGuard[] {
  const all = queriesGiving(schema, type)
  const own = all.find(isOwn)
  return own === undefined ? all : [own]
}

function isOwn({ list, arguments: given }: QueryModel): boolean {
  return !list && given.has('id')
}

export type DefaultPolicy = 'authenticated' | 'public'

/** Tests whether callers without a credential may run an operation. @param policy value of `security.default_policy` */
export function isOpenOperation(operation: RootGuard, policy: DefaultPolicy): boolean {
  if (operation.public) return true
  const guarded =
    operation.authenticated ||
    operation.apiKeyRequired ||
    operation.requiresRole.length > 0 ||
    operation.requiresScope !== undefined ||
    operation.requiresPolicy !== undefined
  return policy === 'public' && !guarded
}

function isOpen(root: RootSelection, schema: SchemaModel, policy: DefaultPolicy): boolean {
  // `closedNodes` denies the closed types one by one.
  if (root.kind === 'node') return policy === 'public' && closedNodes(schema).length < nodeGuardsOf(schema).size
  const guards = guardOf(root, schema)
  // A root without guards, such as introspection, follows the policy.
  return (guards.length > 0 || policy === 'public') && guards.every((guard) => isOpenOperation(guard, policy))
}

/** Returns the relay types whose rows `node` denies to anonymous callers under the policy `public`. */
function closedNodes(schema: SchemaModel): readonly string[] {
  return [...nodeGuardsOf(schema)].flatMap(([name, guards]) =>
    guards.every((guard) => isOpenOperation(guard, 'public')) ? [] : [name],
  )
}

/**
 * Checks an operation against `security.default_policy`, before the `authorize` hooks run.
 * @returns relay types that are denied at `node` although the operation may run; `undefined`: none
 * @throws SvcError UNAUTHENTICATED: the operation needs a credential; INTERNAL_SERVER_ERROR: the plugin that would
 * enforce a scope, role or policy does not run
 */
export type DefaultPolicyCheck = (exchange: Exchange, operation: Operation) => DenialSet | undefined

/** Plugins that enforce the guards of operations: scopes, roles, API keys and policies. */
const GUARDS: ReadonlySet<string> = new Set(['scopes', 'policies'])

function refuseUnguarded(root: RootSelection, schema: SchemaModel, running: ReadonlySet<string>): void {
  for (const guard of guardOf(root, schema)) {
    const rights = guard.apiKeyRequired || guard.requiresRole.length > 0 || guard.requiresScope !== undefined
    const missing = rights && !running.has('scopes') ? 'scopes' : 'policies'
    if (running.has(missing) || (missing === 'policies' && guard.requiresPolicy === undefined)) continue
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `"${root.responseKey}" is guarded by what plugin "${missing}" asks for, which is not running. Enable it, or leave out the plugin that this field comes from.`,
    )
  }
}

/**
 * Creates the check of `security.default_policy` (docs/guides/authorize.md). Callers without a credential may run
 * operations that the policy or the operation opens. Scopes, roles and policies are enforced by plugins; if such a
 * plugin does not run, a root field that needs it is denied to every caller. This can only happen to root fields that a
 * plugin adds: with operations of the schema that need a missing plugin, the service does not boot.
 * @param running names of the running plugins; default: those that enforce scopes, roles and policies
 */
export function createDefaultPolicy(policy: DefaultPolicy, running: ReadonlySet<string> = GUARDS): DefaultPolicyCheck {
  const open = new WeakMap<OperationTemplate, boolean>()
  const guarded = [...GUARDS].every((name) => running.has(name))
  const complete = new WeakSet<OperationTemplate>()
  const closed = new WeakMap<SchemaModel, DenialSet | null>()

  function closedOf(schema: SchemaModel): DenialSet | null {
    let set = closed.get(schema)
    if (set === undefined) {
      const names = closedNodes(schema)
      const error = new SvcError('UNAUTHENTICATED', 'Authentication required')
      set =
        names.length === 0
          ? null
          : denialSet(
              schema,
              names.map((name) => ({ target: `node:${name}`, error })),
            )
      closed.set(schema, set)
    }
    return set
  }

  return ({ auth, generation }, { template }) => {
    if (!guarded && !complete.has(template)) {
      for (const root of template.roots) refuseUnguarded(root, generation.schema, running)
      complete.add(template)
    }
    if (auth !== null) return undefined
    let allowed = open.get(template)
    if (allowed === undefined) {
      allowed = template.roots.every((root) => isOpen(root, generation.schema, policy))
      open.set(template, allowed)
    }
    if (!allowed) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
    if (!template.roots.some(({ kind }) => kind === 'node')) return undefined
    return closedOf(generation.schema) ?? undefined
  }
}
