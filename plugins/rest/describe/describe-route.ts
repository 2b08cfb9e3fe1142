import type { ArgumentModel, InputFieldModel } from '../../../core/doors/front.ts'
import type { ObjectType, QueryModel } from '../../../core/doors/plugin.ts'
import { JSON_BODY, PATCH_BODY } from '../request/json-body.ts'
import { listOf } from '../routes/many-places.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { bodyInput, bodyMembers, idArgument } from '../routes/writable-fields.ts'
import { isFilled } from '../write/fill-missing.ts'
import { describeAnswers, describeRefusals } from './describe-answers.ts'
import {
  listParameters,
  pageParameters,
  pathParameters,
  queryArguments,
  selectParameters,
} from './describe-parameters.ts'
import type { DescribedOptions } from './described-options.ts'
import { heedsIfMatch, requestHeaders } from './headers.ts'
import type { BodyDescription, ParameterDescription, RouteDescription } from './route-description.ts'

/** Configuration that the descriptions of REST routes depend on. */
export interface DescribeOptions {
  readonly options: DescribedOptions
  /** Maximum number of rows in a list (`svc.max_rows`). 0: no limit. */
  readonly maxRows: number
}

/** Describes parameters, body and replies of a REST route. @param routes all routes of the schema */
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
  options: DescribedOptions,
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
  options: DescribedOptions,
  maxRows: number,
): readonly ParameterDescription[] {
  const args = queryArguments(route, route.method === 'POST')
  const taken = new Set(route.otherArguments.flatMap(({ name, wireName }) => [name, wireName]))
  return [...args, ...listParameters({ query, type: query.named as ObjectType, pages }, taken, options, maxRows)]
}

/** Describes the body of a request; `null`: none. */
function describeBody(route: RestRoute, options: DescribedOptions): BodyDescription | null {
  const { method, kind, otherArguments, operation, required: wanted } = route
  if (method === 'GET' || method === 'DELETE') return null
  const id = kind === 'update-many' && operation.kind === 'mutation' ? idArgument(operation) : null
  const args = otherArguments.filter((argument) => argument !== id)
  if (args.length === 0) return null
  const names = new Set(wanted.map(({ wireName }) => wireName))
  return {
    types: method === 'PATCH' ? PATCH_BODY : JSON_BODY,
    optional: false,
    members: bodyMembers(args).map((field) => ({
      field,
      required: names.has(field.wireName) || (isRequired(field) && !isLeftAsItIs(route, args, field)),
    })),
    input: bodyInput(args),
    shape: kind === 'create' ? 'either' : kind === 'create-many' ? 'many' : 'one',
    mostRows: options.max_bulk_affected,
  }
}

function isRequired({ type, default: byDefault }: InputFieldModel): boolean {
  return !type.nullable && byDefault === undefined
}

/** Does a PATCH take this argument from the row when the body omits it? */
function isLeftAsItIs(route: RestRoute, args: readonly ArgumentModel[], { wireName }: InputFieldModel): boolean {
  return route.kind === 'update' && bodyInput(args) === null && isFilled(route, wireName)
}
