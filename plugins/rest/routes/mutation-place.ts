import type { FieldModel, MutationModel } from '../../../core/doors/plugin.ts'
import { formsOf, kebab, withoutType, wordsOf } from './names.ts'
import type { RestMethod, RestResource, RoutePlace } from './rest-route.ts'
import { coversAll, idArgument } from './writable-fields.ts'

export interface MutationPlace {
  readonly resource: RestResource | null
  /**
   * Methods and paths of the mutation. PUT and PATCH for a mutation that sets all fields of a row or is the update of
   * its type; otherwise one entry.
   */
  readonly places: readonly RoutePlace[]
}

/**
 * Creates the function that finds the REST resource of a mutation: the type whose name is part of the mutation's name,
 * else the type that it returns. `null`: there is none.
 */
export function resourceFinder(resources: readonly RestResource[]): (mutation: MutationModel) => RestResource | null {
  const byWords = new Map<string, number>()
  // `create_user_email` belongs to `UserEmail` if it exists, else to `User`. The first of two types with the same words wins.
  const longestFirst = resources.toSorted((a, b) => b.type.name.length - a.type.name.length)
  for (const [place, { type }] of longestFirst.entries()) {
    for (const words of formsOf(type.name)) {
      const key = words.join(' ')
      if (!byWords.has(key)) byWords.set(key, place)
    }
  }
  const byType = new Map(resources.toReversed().map((resource) => [resource.type as unknown, resource]))
  return ({ name, named }) => {
    const places = partsOf(wordsOf(name)).map((words) => byWords.get(words.join(' ')) ?? longestFirst.length)
    return longestFirst[Math.min(...places)] ?? byType.get(named) ?? null
  }
}

/** Returns all sequences of consecutive words of a name, except the whole name. */
function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  return words.flatMap((_, from) =>
    words.slice(from).flatMap((_, length) => {
      const part = words.slice(from, from + length + 1)
      return part.length === words.length ? [] : [part]
    }),
  )
}

/**
 * Chooses method and path of a mutation that has no `rest_path`.
 * @param resource resource of the mutation; `null`: none
 * @param settable returns the fields of a resource that mutations set
 * @param isFree tests whether no other route has this method and path
 */
export function mutationPlace(
  mutation: MutationModel,
  resource: RestResource | null,
  settable: (resource: RestResource) => readonly FieldModel[],
  isFree: (method: RestMethod, path: string) => boolean,
): MutationPlace {
  if (resource === null) return { resource, places: [ofNothing(mutation)] }
  return { resource, places: ofResource(mutation, resource, settable(resource), isFree) }
}

function ofNothing({ wireName, operation }: MutationModel): RoutePlace {
  const method = { CREATE: 'POST', UPDATE: 'PATCH', DELETE: 'DELETE', CUSTOM: 'POST' } as const
  return { method: method[operation], path: `/${kebab(wireName)}`, kind: 'action' }
}

function ofResource(
  mutation: MutationModel,
  { name, type }: RestResource,
  settable: readonly FieldModel[],
  isFree: (method: RestMethod, path: string) => boolean,
): readonly RoutePlace[] {
  const id = idArgument(mutation)
  const collection = `/${name}`
  const action = withoutType(mutation.name, type.name)?.join('-') || kebab(mutation.name)
  const ofAll: RoutePlace = { method: 'POST', path: `${collection}/${action}`, kind: 'action' }
  if (mutation.operation === 'CREATE') {
    return [isFree('POST', collection) ? { method: 'POST', path: collection, kind: 'create' } : ofAll]
  }
  if (id === null) return [ofAll]
  const row = `${collection}/{${id.wireName}}`
  const ofRow = `${row}/${action}`
  const others = [...mutation.arguments.values()].filter((argument) => argument !== id)
  if (mutation.operation === 'UPDATE') {
    if (coversAll(settable, others) && isFree('PUT', row) && isFree('PATCH', row)) {
      return [
        { method: 'PUT', path: row, kind: 'replace' },
        { method: 'PATCH', path: row, kind: 'update' },
      ]
    }
    const ofPart: RoutePlace = { method: 'PATCH', path: ofRow, kind: 'action' }
    // `updatePost` is the PATCH of posts, even if only `createPost` sets the other fields.
    return action === 'update' && isFree('PATCH', row)
      ? [ofPart, { method: 'PATCH', path: row, kind: 'update' }]
      : [ofPart]
  }
  if (mutation.operation === 'DELETE') {
    return [
      isFree('DELETE', row) && others.length === 0
        ? { method: 'DELETE', path: row, kind: 'delete' }
        : { method: 'POST', path: ofRow, kind: 'action' },
    ]
  }
  // A mutation that returns no row of the resource, and needs more than an id, applies to the collection.
  const isOfRow = mutation.named === type || others.length === 0
  return [isOfRow ? { method: 'POST', path: ofRow, kind: 'action' } : ofAll]
}
