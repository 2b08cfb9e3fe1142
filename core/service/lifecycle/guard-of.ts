import type { RootGuard, RootSelection } from '../../contract/operation.ts'
import type { ObjectType, QueryModel, SchemaModel } from '../../schema/model.ts'
import { queriesGiving } from '../../schema/queries-giving.ts'

const NONE: readonly RootGuard[] = Object.freeze([])
const ofNodes = new WeakMap<SchemaModel, NodeGuards>()

/** Guards of `node` by name of the relay type. A caller must satisfy all guards of a type to read its rows by `node`. */
export type NodeGuards = ReadonlyMap<string, readonly RootGuard[]>

/**
 * Returns the guards of a root field. A caller must satisfy every one of them. `node` can return a row of any relay type, so it has the
 * guards of all of them; {@link nodeGuardsOf} has them by type.
 * @returns an empty list for `__typename` and introspection, which only the default policy guards
 * @throws Error for a root that the engine itself creates
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
 * Returns the guards of `node` for each relay type: those of the type's single query by `id`, else of all queries that return its
 * rows. A hook denies a type whose guards the caller does not satisfy with `access.deny("node:Type")`.
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
