import type { ObjectType, QueryModel, SchemaModel } from './model.ts'

const NONE: readonly QueryModel[] = Object.freeze([])
const known = new WeakMap<SchemaModel, ReadonlyMap<ObjectType, readonly QueryModel[]>>()

/**
 * Returns the queries whose result type is `type`; if there are none, the queries of its interfaces and unions. A
 * request that reads rows of the type without a query, such as by node id, must satisfy the access rules of all of
 * them.
 */
export function queriesGiving(schema: SchemaModel, type: ObjectType): readonly QueryModel[] {
  let byType = known.get(schema)
  if (byType === undefined) {
    byType = groupByResult(schema)
    known.set(schema, byType)
  }
  return byType.get(type) ?? NONE
}

function groupByResult(schema: SchemaModel): ReadonlyMap<ObjectType, readonly QueryModel[]> {
  const own = new Map<ObjectType, QueryModel[]>()
  const among = new Map<ObjectType, QueryModel[]>()
  for (const query of schema.queries.values()) {
    const { named } = query
    if (named.kind === 'object') add(own, named, query)
    if (named.kind === 'interface' || named.kind === 'union') for (const one of named.members) add(among, one, query)
  }
  return new Map([...among, ...own])
}

function add(to: Map<ObjectType, QueryModel[]>, type: ObjectType, query: QueryModel): void {
  const queries = to.get(type)
  if (queries === undefined) to.set(type, [query])
  else queries.push(query)
}
