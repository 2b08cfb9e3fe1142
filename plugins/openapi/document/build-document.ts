import type { RouteDescription } from '../../rest/api.ts'
import { Components } from './components.ts'
import { FilterSchemas } from './filter-schemas.ts'
import { compact, type Json } from './json.ts'
import { OTHER_TAG, operationIds, operationObject } from './operation-object.ts'
import { ParameterObjects } from './parameter-objects.ts'
import type { Security } from './security.ts'
import { TypeSchemas } from './type-schemas.ts'

/** Input of {@link buildDocument}: REST routes and facts about the service. */
export interface DocumentSource {
  readonly routes: readonly RouteDescription[]
  /** Path prefix of the routes (`rest.path`). */
  readonly path: string
  readonly title: string
  readonly version: string
  readonly security: Security
  readonly rateLimited: boolean
}

/**
 * Builds the OpenAPI 3.0.3 document of the REST API (docs/plugins/openapi.md).
 * @param isShown selects the routes of the document
 */
export function buildDocument(
  { routes, path, title, version, security, rateLimited }: DocumentSource,
  isShown: (route: RouteDescription) => boolean = () => true,
): Json {
  const components = new Components()
  const types = new TypeSchemas(components)
  const parameters = new ParameterObjects(components, types, new FilterSchemas(components, types))
  const ids = operationIds(routes.map(({ route }) => route))
  const shown = routes.filter(isShown)
  const paths: Record<string, Record<string, Json>> = {}
  for (const described of shown) {
    const { route } = described
    paths[route.path] ??= {}
    const methods = paths[route.path]!
    methods[route.method.toLowerCase()] = operationObject(described, ids.get(route)!, {
      components,
      types,
      parameters,
      security,
      rateLimited,
    })
  }
  const { schemes } = security
  return {
    openapi: '3.0.3',
    info: { title, version },
    servers: [{ url: path }],
    tags: tagsOf(shown),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: compact({
      ...components.toJson(),
      securitySchemes: Object.keys(schemes).length === 0 ? undefined : schemes,
    }),
  }
}

function tagsOf(routes: readonly RouteDescription[]): readonly Json[] {
  const tags = new Map<string, Json>()
  for (const { route } of routes) {
    const { resource } = route
    const name = resource?.name ?? OTHER_TAG
    if (tags.has(name)) continue
    const description =
      resource?.type.description ??
      (resource === null ? 'What belongs to no resource.' : `Rows of ${resource.type.name}.`)
    tags.set(name, { name, description })
  }
  return [...tags.values()].sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
}
