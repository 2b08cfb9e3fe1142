import type { MutationModel, ObjectType, QueryModel } from '../../../core/doors/plugin.ts'
import { pluralise, sourceName, wordsOf } from './names.ts'
import type { RestResource } from './rest-route.ts'

/**
 * The object types whose rows have an address, each with the name of its list query; without one, with that of what it is
 * read from.
 */
export function resourcesOf(
  queries: readonly QueryModel[],
  mutations: readonly MutationModel[],
): readonly RestResource[] {
  const resources: RestResource[] = []
  for (const type of new Set([...queries, ...mutations].map(({ named }) => named))) {
    if (type.kind !== 'object' || type.isError) continue
    const own = queries.filter(({ named }) => named === type)
    // What only mutations give, and nothing stores, is an answer and no resource.
    if (own.length === 0 && type.source === null) continue
    resources.push({ name: nameOf(type, own), type })
  }
  return resources
}

function nameOf(type: ObjectType, queries: readonly QueryModel[]): string {
  // A list with a path of its own is found there; the others keep the name that follows from them.
  const list = queries.find(({ list, restPath }) => list && restPath === undefined) ?? queries.find(({ list }) => list)
  if (list !== undefined) return list.wireName
  const source = queries[0]?.source.name
  return pluralise(source === undefined ? wordsOf(type.name).join('_') : sourceName(source))
}
