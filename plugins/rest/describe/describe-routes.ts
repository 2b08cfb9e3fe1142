import { type SchemaModel, SvcError } from '../../../core/doors/plugin.ts'
import { deriveRoutes } from '../routes/derive-routes.ts'
import { type DescribeOptions, describeRoute } from './describe-route.ts'
import type { RouteDescription } from './route-description.ts'

/**
 * Describes parameters, bodies and replies of the REST routes of a schema. It needs no running service.
 * @throws SvcError SVC_ROUTE_INVALID when routes conflict
 */
export function describeRoutes(schema: SchemaModel, given: DescribeOptions): readonly RouteDescription[] {
  const { routes, faults } = deriveRoutes(schema, given.options)
  if (faults.length > 0) throw new SvcError('SVC_ROUTE_INVALID', faults.map(({ message }) => message).join('\n'))
  return routes.map((route) => describeRoute(route, routes, given))
}
