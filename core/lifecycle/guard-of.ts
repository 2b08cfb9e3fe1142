import type { RootGuard, RootSelection } from '../contract/operation.ts'
import type { ObjectType, QueryModel, SchemaModel } from '../schema/model.ts'

const NONE: readonly RootGuard[] = Object.freeze([])
const ofNodes = new WeakMap<SchemaModel, readonly RootGuard[]>()

/**
 * The rules that stand behind a root field: whoever asks for it has to satisfy every one of them. `node` may give a row of
 * any relay type, so that everything which gives such rows guards it (behaviours 6).
 * @returns none for `__typename` and introspection, which the policy alone guards
 */
export function guardOf(root: RootSelection, schema: SchemaModel): readonly RootGuard[] {
  switch (root.kind) {
    case 'operation':
    case 'aggregate':
      return [root.operation]
    case 'rows':
      return root.query === undefined ? guardOfRows(schema, root.type) : [root.query]
    case 'node':
      return guardOfNodes(schema)
    case 'literal':
      return root.call === undefined ? NONE : [root.call.guard]
    case 'typename':
      return NONE
  }
}

function guardOfNodes(schema: SchemaModel): readonly RootGuard[] {
  let guards = ofNodes.get(schema)
  if (guards === undefined) {
    guards = [...schema.queries.values()].filter(givesNodes)
    ofNodes.set(schema, guards)
  }
  return guards
}

/** As for nodes: what gives such rows guards them. */
function guardOfRows(schema: SchemaModel, type: ObjectType): readonly RootGuard[] {
  return [...schema.queries.values()].filter(({ named }) => named === type)
}

function givesNodes({ named }: QueryModel): boolean {
  return named.kind === 'object' && named.relay
}
