import type { MutationModel, QueryModel } from '../../../core/doors/plugin.ts'
import type { RestResource, RestRoute, RoutePlace } from './rest-route.ts'
import { bodyInput } from './writable-fields.ts'

interface ManyPlace {
  readonly operation: MutationModel | QueryModel
  readonly resource: RestResource
  readonly place: RoutePlace
}

/**
 * Returns the list route of a resource that finds the rows for a PATCH or DELETE of many rows; `null`: there is none.
 */
export function listOf(routes: readonly RestRoute[], { name, type }: RestResource): RestRoute | null {
  const lists = listsByPath(routes)
    .get(`/${name}`)
    ?.filter(({ operation }) => operation.named === type)
  return lists?.find(({ operation }) => isUsable(operation as QueryModel)) ?? null
}

const knownLists = new WeakMap<readonly RestRoute[], ReadonlyMap<string, readonly RestRoute[]>>()

/** Returns the routes of collections by path. Cached, because each resource needs them several times. */
function listsByPath(routes: readonly RestRoute[]): ReadonlyMap<string, readonly RestRoute[]> {
  let lists = knownLists.get(routes)
  if (lists === undefined) {
    const found = new Map<string, RestRoute[]>()
    for (const route of routes) {
      if (route.kind === 'collection') found.set(route.path, [...(found.get(route.path) ?? []), route])
    }
    lists = found
    knownLists.set(routes, lists)
  }
  return lists
}

function isUsable({ relay, autoParams, named }: QueryModel): boolean {
  return !relay && autoParams.where && named.kind === 'object' && named.fields.has('id')
}

/** Derives the REST routes that write many rows, and the `…/stream` routes, from the other routes of each resource. */
export function manyPlaces(routes: readonly RestRoute[]): readonly ManyPlace[] {
  return routes.flatMap((route): readonly ManyPlace[] => {
    const { kind, resource, operation, otherArguments, method } = route
    if (resource === null) return []
    const path = `/${resource.name}`
    if (kind === 'collection' && route.path === path) {
      return [{ operation, resource, place: { method: 'GET', path: `${path}/stream`, kind: 'stream' } }]
    }
    if (operation.kind !== 'mutation') return []
    if (kind === 'create' && route.path === path) {
      return [{ operation, resource, place: { method: 'POST', path: `${path}/bulk`, kind: 'create-many' } }]
    }
    if (listOf(routes, resource) === null) return []
    if (kind === 'delete' && otherArguments.length === 0) {
      return [{ operation, resource, place: { method: 'DELETE', path, kind: 'delete-many' } }]
    }
    // Without an input, arguments that the body omits would become null in every row.
    if (kind === 'update' && method === 'PATCH' && bodyInput(otherArguments) !== null) {
      return [{ operation, resource, place: { method: 'PATCH', path, kind: 'update-many' } }]
    }
    return []
  })
}
