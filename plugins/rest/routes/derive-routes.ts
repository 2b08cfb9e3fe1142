import { AGGREGATE_SUFFIXES, type NamedType } from '../../../core/doors/front.ts'
import {
  didYouMean,
  type FieldModel,
  listNames,
  type MutationModel,
  type QueryModel,
  type SchemaModel,
} from '../../../core/doors/plugin.ts'
import { keyArgument, keyField } from './key-field.ts'
import { manyPlaces } from './many-places.ts'
import { mutationPlace, resourceFinder } from './mutation-place.ts'
import { kebab } from './names.ts'
import { resourcesOf } from './resources.ts'
import type { RestMethod, RestResource, RestRoute, RestTable, RoutePlace } from './rest-route.ts'
import { bodyMembers, idArgument, settableFields, writableFields } from './writable-fields.ts'

/** A problem of the REST routes of a schema, with the operation that causes it. */
export interface RouteFault {
  readonly message: string
  readonly operation: string | null
}

export interface DerivedRoutes extends RestTable {
  readonly faults: readonly RouteFault[]
}

/** Options of `[rest]` that decide which operations have REST routes. */
export interface RouteOptions {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Path segments below the base path that cannot be resources. */
const RESERVED: ReadonlySet<string> = new Set(['openapi.json'])

/**
 * Derives the REST routes from the queries and mutations of a schema (docs/guides/rest.md). The compiler, the server,
 * `svc routes` and the OpenAPI document all use it.
 * @param chosen `include` and `exclude` of `[rest]`
 * @returns routes, resources, and problems in `faults`, such as two operations with the same route
 */
export function deriveRoutes(schema: SchemaModel, chosen: RouteOptions): DerivedRoutes {
  const faults: RouteFault[] = []
  const isChosen = chooser(schema, chosen, faults)
  const queries = [...schema.queries.values()].filter((query) => isChosen(query) && !isNumbers(query))
  const mutations = [...schema.mutations.values()].filter(isChosen)
  const resources = resourcesOf(queries, mutations)
  const byType = new Map<NamedType, RestResource>(resources.map((resource) => [resource.type, resource]))
  const taken = new Map<string, RestRoute>()

  function add(operation: QueryModel | MutationModel, resource: RestResource | null, place: RoutePlace): void {
    const route = toRoute(operation, resource, place)
    const key = `${place.method} ${place.path.replace(/\{[^}]*\}/g, '{}')}`
    const other = taken.get(key)
    if (other !== undefined) {
      const message = `"${operation.name}": ${place.method} ${place.path} is the route of "${other.operation.name}" already. Give one of them a rest_path, or exclude it.`
      faults.push({ message, operation: operation.name })
    } else if (RESERVED.has(place.path.slice(1))) {
      const message = `"${operation.name}": ${place.path} has a meaning of its own. Give it a rest_path.`
      faults.push({ message, operation: operation.name })
    } else taken.set(key, route)
  }

  const isFree = (method: RestMethod, path: string): boolean =>
    !taken.has(`${method} ${path.replace(/\{[^}]*\}/g, '{}')}`)
  // Routes with a `rest_path` take precedence over derived ones.
  const byHand = [...queries, ...mutations].filter(({ keys }) => keys.rest_path !== undefined)
  for (const operation of byHand) {
    const resource = byType.get(operation.named) ?? null
    const place = placeByHand(operation, faults)
    if (place !== null) add(operation, resource, place)
  }
  const byKey: (() => void)[] = []
  for (const query of queries) {
    if (query.keys.rest_path !== undefined) continue
    const resource = byType.get(query.named) ?? null
    const place = queryPlace(query, resource, isFree)
    if (query.keys.rest_method !== undefined && !['GET', 'POST'].includes(query.keys.rest_method))
      faults.push(noWrite(query))
    else add(query, resource, { ...place, method: (query.keys.rest_method as RestMethod | undefined) ?? place.method })
    const key = resource === null || idArgument(query) !== null ? null : keyField(query)
    if (key === null || query.keys.rest_method !== undefined) continue
    const path = `/${resource!.name}/{${key.wireName}}`
    byKey.push(() => isFree('GET', path) && add(query, resource, { method: 'GET', path, kind: 'single', key }))
  }
  // Routes by an argument take precedence over these, independent of the order of declaration.
  for (const mount of byKey) mount()
  const find = resourceFinder(resources)
  const settable = settableOf(resources, mutations, find)
  for (const mutation of mutations) {
    if (mutation.keys.rest_path !== undefined) continue
    const { resource, places } = mutationPlace(mutation, find(mutation), settable, isFree)
    if (mutation.keys.rest_method === 'GET') {
      faults.push(noRead(mutation))
      continue
    }
    const method = mutation.keys.rest_method as RestMethod | undefined
    for (const place of method === undefined ? places : [{ ...places[0]!, method }]) add(mutation, resource, place)
  }
  for (const { operation, resource, place } of manyPlaces([...taken.values()])) {
    if (isFree(place.method, place.path)) add(operation, resource, place)
  }
  return { routes: [...taken.values()], resources, faults }
}

function settableOf(
  resources: readonly RestResource[],
  mutations: readonly MutationModel[],
  find: (mutation: MutationModel) => RestResource | null,
) {
  const own = new Map<RestResource | null, MutationModel[]>(resources.map((resource) => [resource, []]))
  for (const mutation of mutations) own.get(find(mutation))?.push(mutation)
  const known = new Map(resources.map((resource) => [resource, settableFields(resource.type, own.get(resource)!)]))
  return (resource: RestResource): readonly FieldModel[] => known.get(resource) ?? []
}

function chooser(schema: SchemaModel, { include, exclude }: RouteOptions, faults: RouteFault[]) {
  const names = [...schema.queries.values(), ...schema.mutations.values()].flatMap(({ name, wireName }) => [
    name,
    wireName,
  ])
  for (const [key, list] of [
    ['include', include],
    ['exclude', exclude],
  ] as const) {
    for (const name of list) {
      if (names.includes(name)) continue
      const hint = didYouMean(name, names) || ` There are: ${listNames(new Set(names))}.`
      faults.push({ message: `[rest] ${key} names "${name}", which is no query or mutation.${hint}`, operation: null })
    }
  }
  const isIn = (list: readonly string[], { name, wireName }: QueryModel | MutationModel): boolean =>
    list.includes(name) || list.includes(wireName)
  return (operation: QueryModel | MutationModel): boolean =>
    (include.length === 0 || isIn(include, operation)) && !isIn(exclude, operation)
}

/** Does the query return aggregates? They are no rows. */
function isNumbers({ named, wireName }: QueryModel): boolean {
  return (
    /(Aggregate|Window)$/.test(wireName) ||
    (named.kind === 'object' &&
      named.source === null &&
      AGGREGATE_SUFFIXES.some((suffix) => named.name.endsWith(suffix)))
  )
}

function queryPlace(
  query: QueryModel,
  resource: RestResource | null,
  isFree: (method: RestMethod, path: string) => boolean,
): RoutePlace {
  if (resource === null) return { method: 'GET', path: `/${kebab(query.wireName)}`, kind: 'value' }
  if (query.list) {
    const path = isFree('GET', `/${resource.name}`) ? `/${resource.name}` : `/${query.wireName}`
    return { method: 'GET', path, kind: 'collection' }
  }
  const id = idArgument(query)
  if (id === null) return { method: 'GET', path: `/${kebab(query.wireName)}`, kind: 'single' }
  const path = `/${resource.name}/{${id.wireName}}`
  if (isFree('GET', path)) return { method: 'GET', path, kind: 'single' }
  return { method: 'GET', path: `/${kebab(query.wireName)}/{${id.wireName}}`, kind: 'single' }
}

const DEFAULTS = {
  CREATE: ['POST', 'create'],
  UPDATE: ['PATCH', 'update'],
  DELETE: ['DELETE', 'delete'],
  CUSTOM: ['POST', 'action'],
} as const

function placeByHand(operation: QueryModel | MutationModel, faults: RouteFault[]): RoutePlace | null {
  const path = operation.keys.rest_path!
  if (operation.kind === 'query') {
    const method = (operation.keys.rest_method ?? 'GET') as RestMethod
    if (method !== 'GET' && method !== 'POST') {
      faults.push(noWrite(operation))
      return null
    }
    const kind = operation.named.kind !== 'object' ? 'value' : operation.list ? 'collection' : 'single'
    return { method, path: toWire(path, operation), kind }
  }
  const [byDefault, kind] = DEFAULTS[operation.operation]
  const method = (operation.keys.rest_method ?? byDefault) as RestMethod
  if (method === 'GET') {
    faults.push(noRead(operation))
    return null
  }
  return { method, path: toWire(path, operation), kind: method === 'PUT' && kind === 'update' ? 'replace' : kind }
}

/** Converts the names of placeholders to wire names. */
function toWire(path: string, operation: QueryModel | MutationModel): string {
  const args = [...operation.arguments.values()]
  return path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const argument = args.find((one) => one.name === name || one.wireName === name)
    return `{${argument?.wireName ?? name}}`
  })
}

function noWrite({ name }: QueryModel): RouteFault {
  return { message: `"${name}": a query is read by GET or POST. Give it one of them as rest_method.`, operation: name }
}

function noRead({ name }: MutationModel): RouteFault {
  const message = `"${name}": a mutation is never sent by GET, which browsers repeat. Give it another rest_method.`
  return { message, operation: name }
}

function toRoute(operation: QueryModel | MutationModel, resource: RestResource | null, place: RoutePlace): RestRoute {
  const names = [...place.path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)
  const { key, ...at } = place
  const pathArguments =
    key === undefined
      ? names.map((name) => operation.arguments.get(name)).filter((argument) => argument !== undefined)
      : [keyArgument(key)]
  const otherArguments = [...operation.arguments.values()].filter((argument) => !pathArguments.includes(argument))
  const given = new Set(bodyMembers(otherArguments).map(({ wireName }) => wireName))
  const required =
    place.kind === 'replace' && resource !== null
      ? writableFields(resource.type).filter(({ wireName }) => given.has(wireName))
      : []
  return { ...at, operation, resource, pathArguments, byField: key !== undefined, otherArguments, required }
}
