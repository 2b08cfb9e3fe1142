import type { RootGuard, RootSelection } from '../contract/operation.ts'
import type { ObjectType, QueryModel, SchemaModel } from '../schema/model.ts'
import { queriesGiving } from '../schema/queries-giving.ts'

const NONE: readonly RootGuard[] = Object.freeze([])
const ofNodes = new WeakMap<SchemaModel, NodeGuards>()

/** By name of the relay type: who may ask for one of its rows by `node`. */
export type NodeGuards = ReadonlyMap<string, readonly RootGuard[]>

/**
 * The rules that stand behind a root field: whoever asks for it has to satisfy every one of them. `node` may give a row of
 * any relay type: those of all types, who may see rows of some is said by {@link nodeGuardsOf}.
 * @returns none for `__typename` and introspection, which the policy alone guards
 * @throws Error for a root that the engine makes for itself
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
 * The rules that guard `node` for each relay type: those of its own query by id; where it has none, of everything that
 * gives its rows (behaviours 6). Who does not satisfy them denies the type there, as `access.deny("node:Type")`.
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
