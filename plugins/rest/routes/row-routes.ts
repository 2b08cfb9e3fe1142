import type { RestResource, RestRoute } from './rest-route.ts'

type RowRouteOf = (resource: RestResource) => RestRoute | null

const known = new WeakMap<readonly RestRoute[], RowRouteOf>()

/**
 * Returns the function that finds the route of a resource that reads a single row by its id. A `pk_…` field does not
 * count as id.
 * @param routes all routes of the schema; the result is cached by this list
 */
export function rowRoutes(routes: readonly RestRoute[]): RowRouteOf {
  let found = known.get(routes)
  if (found === undefined) {
    found = indexRows(routes)
    known.set(routes, found)
  }
  return found
}

function indexRows(routes: readonly RestRoute[]): RowRouteOf {
  const byResource = new Map<RestResource, RestRoute>()
  for (const route of routes) {
    const { resource } = route
    if (resource !== null && !byResource.has(resource) && readsOneRow(route)) byResource.set(resource, route)
  }
  return (resource) => byResource.get(resource) ?? null
}

function readsOneRow({ kind, method, byField, pathArguments, otherArguments }: RestRoute): boolean {
  return kind === 'single' && method === 'GET' && !byField && pathArguments.length === 1 && otherArguments.length === 0
}
