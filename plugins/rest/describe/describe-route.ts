import type { ObjectType, QueryModel } from '../../../core/doors/plugin.ts'
import type { RestOptions } from '../options.ts'
import { listOf } from '../routes/many-places.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { describeAnswers, describeRefusals } from './describe-answers.ts'
import { describeBody } from './describe-body.ts'
import {
  listParameters,
  pageParameters,
  pathParameters,
  queryArguments,
  selectParameters,
} from './describe-parameters.ts'
import { heedsIfMatch, requestHeaders } from './headers.ts'
import type { ParameterDescription, RouteDescription } from './route-description.ts'

/** What descriptions follow from, beside the routes. */
export interface DescribeOptions {
  readonly options: RestOptions
  /** `svc.max_rows`; 0 = no bound. */
  readonly maxRows: number
}

/** Describes a route. @param routes all of them */
export function describeRoute(
  route: RestRoute,
  routes: readonly RestRoute[],
  { options, maxRows }: DescribeOptions,
): RouteDescription {
  return {
    route,
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route, routes, options, maxRows),
      ...requestHeaders(route, { options, routes }),
    ],
    body: describeBody(route, options),
    answers: describeAnswers(route, options),
    refusals: describeRefusals(route, heedsIfMatch(route, { options, routes })),
  }
}

function queryParameters(
  route: RestRoute,
  routes: readonly RestRoute[],
  options: RestOptions,
  maxRows: number,
): readonly ParameterDescription[] {
  const { kind, operation, method, resource } = route
  const { named } = operation
  if (operation.kind === 'mutation') {
    const shown = named.kind === 'object' ? selectParameters(named, options, false) : []
    const isOfMatching = kind === 'update-many' || kind === 'delete-many'
    const list = isOfMatching && resource !== null ? listOf(routes, resource) : null
    if (list === null) return shown
    return [...matchingParameters(list, list.operation as QueryModel, false, options, maxRows), ...shown]
  }
  const args = queryArguments(route, method === 'POST')
  if (named.kind !== 'object' || kind === 'value') {
    return [...args, ...(operation.list && !operation.relay ? pageParameters(operation, options, maxRows) : [])]
  }
  const shown = selectParameters(named, options, true)
  if (kind === 'single') return [...args, ...shown]
  return [...matchingParameters(route, operation, kind === 'collection', options, maxRows), ...shown]
}

function matchingParameters(
  route: RestRoute,
  query: QueryModel,
  pages: boolean,
  options: RestOptions,
  maxRows: number,
): readonly ParameterDescription[] {
  const args = queryArguments(route, route.method === 'POST')
  const taken = new Set(route.otherArguments.flatMap(({ name, wireName }) => [name, wireName]))
  return [...args, ...listParameters({ query, type: query.named as ObjectType, pages }, taken, options, maxRows)]
}
