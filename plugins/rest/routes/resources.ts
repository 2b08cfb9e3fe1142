import type { MutationModel, ObjectType, QueryModel } from '../../../core/doors/plugin.ts'
import { pluralise, sourceName, wordsOf } from './names.ts'
import type { RestResource } from './rest-route.ts'

/**
 * Returns the object types that REST serves as resources. A resource has the name of its list query, otherwise a name
 * derived from its view.
 */
export function resourcesOf(
  queries: readonly QueryModel[],
  mutations: readonly MutationModel[],
): readonly RestResource[] {
  const byType = new Map<QueryModel['named'], QueryModel[]>()
  for (const query of queries) {
    const own = byType.get(query.named)
    if (own === undefined) byType.set(query.named, [query])
    else own.push(query)
  }
  const resources: RestResource[] = []
  for (const type of new Set([...queries, ...mutations].map(({ named }) => named))) {
    if (type.kind !== 'object' || type.isError) continue
    const own = byType.get(type) ?? []
    // A type without a source that only mutations return is a payload, not a resource.
    if (own.length === 0 && type.source === null) continue
    resources.push({ name: nameOf(type, own), type })
  }
  return resources
}

function nameOf(type: ObjectType, queries: readonly QueryModel[]): string {
  // A list with a `rest_path` is mounted there, so a list without one takes precedence for the name.
  const list =
    queries.find(({ list, keys }) => list && keys.rest_path === undefined) ?? queries.find(({ list }) => list)
  if (list !== undefined) return list.wireName
  const source = queries[0]?.source.name
  return pluralise(source === undefined ? wordsOf(type.name).join('_') : sourceName(source))
}
