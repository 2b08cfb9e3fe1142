import type { RestResource, RestRoute } from './rest-route.ts'

/** By which route a row of a resource is read, by its id alone. A `pk_…` field is no id. */
export function rowRoutes(routes: readonly RestRoute[]) {
  return (resource: RestResource): RestRoute | null =>
    routes.find(
      (route) =>
        route.kind === 'single' &&
        route.method === 'GET' &&
        !route.byField &&
        route.resource === resource &&
        route.pathArguments.length === 1 &&
        route.otherArguments.length === 0,
    ) ?? null
}
