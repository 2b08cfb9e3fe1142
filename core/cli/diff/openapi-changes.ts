import { type Change, collectChanges, type Report, show } from './change.ts'
import { compareJsonSchemas } from './json-schema-changes.ts'
import { type Json, list, type ResolveRef } from './normalize-json-schema.ts'
import type { SchemaComparison } from './schema-comparison.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

interface Route {
  readonly place: string
  readonly operation: Json
}

/** Compares two versions of the service's OpenAPI document, for clients that call its REST routes. */
export function compareOpenApi(before: Json, after: Json): readonly Change[] {
  return collectChanges('rest', (report) => {
    compareBase(before, after, report)
    const [old, now] = [routesOf(before), routesOf(after)]
    const documents: DocumentPair = { before: resolverOf(before), after: resolverOf(after), seen: new Set(), report }
    for (const [key, { place }] of old)
      if (!now.has(key)) report('breaking', 'ROUTE_REMOVED', place, `${place} was removed.`)
    for (const [key, { place, operation }] of now) {
      const known = old.get(key)
      if (known === undefined) report('safe', 'ROUTE_ADDED', place, `${place} was added.`)
      else compareOperations(known.operation, operation, place, documents)
    }
  })
}

function compareBase(before: Json, after: Json, report: Report): void {
  const [old, now] = [before, after].map(({ servers }) => list(servers).map((server) => (server as Json).url))
  if (show(old) === show(now)) return
  report('breaking', 'BASE_PATH_CHANGED', 'servers', `The base path changed from ${show(old)} to ${show(now)}.`)
}

/** Returns the routes by method and path. The names of path parameters do not identify a route. */
function routesOf({ paths }: Json): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const [path, methods] of Object.entries((paths ?? {}) as Readonly<Record<string, Json>>)) {
    for (const method of METHODS) {
      const operation = methods[method] as Json | undefined
      if (operation === undefined) continue
      const place = `${method.toUpperCase()} ${path}`
      routes.set(place.replaceAll(/\{[^}]*\}/g, '{}'), { place, operation })
    }
  }
  return routes
}

/** Resolves local references: `#/components/schemas/Album`. */
function resolverOf(document: Json): ResolveRef {
  return (ref) =>
    ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>(
        (at, key) => (at as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      )
}

/** Two documents whose operations are compared. */
interface DocumentPair {
  readonly before: ResolveRef
  readonly after: ResolveRef
  readonly seen: Set<string>
  readonly report: Report
}

/** Compares two versions of an OpenAPI operation. */
function compareOperations(before: Json, after: Json, place: string, documents: DocumentPair): void {
  const { report } = documents
  compareParameters(before, after, place, documents)
  compareBodies(before, after, place, documents)
  compareResponses(before, after, place, documents)
  compareSecurity(before, after, place, report)
  if (before.operationId !== after.operationId) {
    const message = `operationId changed from ${show(before.operationId)} to ${show(after.operationId)}: generated clients name their functions by it.`
    report('dangerous', 'OPERATION_ID_CHANGED', place, message)
  }
  if (before.deprecated !== after.deprecated) {
    const [rule, text] =
      after.deprecated === true ? ['DEPRECATED', 'deprecated'] : ['DEPRECATION_REMOVED', 'no longer deprecated']
    report('safe', rule!, place, `${place} is ${text}.`)
  }
}

function comparisonOf({ before, after, seen, report }: DocumentPair, direction: 'in' | 'out'): SchemaComparison {
  return { before, after, seen, report, direction }
}

function resolved(value: unknown, resolve: ResolveRef): Json {
  const { $ref } = value as Json
  return (typeof $ref === 'string' ? resolve($ref) : value) as Json
}

function compareParameters(before: Json, after: Json, place: string, documents: DocumentPair): void {
  const { report } = documents
  const old = parametersOf(before, documents.before)
  const now = parametersOf(after, documents.after)
  for (const [key, { name }] of old)
    if (!now.has(key))
      report('breaking', 'PARAMETER_REMOVED', `${place}: ${name}`, `The parameter ${name} was removed.`)
  for (const [key, parameter] of now) {
    const at = `${place}: ${String(parameter.name)}`
    const known = old.get(key)
    if (known === undefined) {
      if (parameter.required === true)
        report('breaking', 'REQUIRED_PARAMETER_ADDED', at, `The required parameter ${parameter.name} was added.`)
      else report('safe', 'PARAMETER_ADDED', at, `The parameter ${parameter.name} was added.`)
      continue
    }
    if ((known.required === true) !== (parameter.required === true)) {
      if (parameter.required === true) report('breaking', 'PARAMETER_BECAME_REQUIRED', at, 'It is required now.')
      else report('safe', 'PARAMETER_BECAME_OPTIONAL', at, 'It may be left out now.')
    }
    for (const key of ['style', 'explode'])
      if (known[key] !== parameter[key])
        report(
          'breaking',
          'PARAMETER_STYLE_CHANGED',
          at,
          `${key} changed from ${show(known[key])} to ${show(parameter[key])}.`,
        )
    compareJsonSchemas(schemaOf(known), schemaOf(parameter), at, comparisonOf(documents, 'in'))
  }
}

/** Returns the parameters by location and name; those of paths by position, because callers do not see their names. */
function parametersOf({ parameters }: Json, resolve: ResolveRef): ReadonlyMap<string, Json> {
  let position = 0
  return new Map(
    list(parameters).map((given) => {
      const parameter = resolved(given, resolve)
      const name = parameter.in === 'path' ? position++ : String(parameter.name)
      return [`${parameter.in} ${name}`, parameter]
    }),
  )
}

/** Returns the schema of a parameter, which may be in the only media type of its `content`. */
function schemaOf({ schema, content }: Json): unknown {
  return schema ?? Object.values((content ?? {}) as Readonly<Record<string, Json>>)[0]?.schema
}

function compareBodies(before: Json, after: Json, place: string, documents: DocumentPair): void {
  const { report } = documents
  const at = `${place}: body`
  const old = before.requestBody === undefined ? null : resolved(before.requestBody, documents.before)
  const now = after.requestBody === undefined ? null : resolved(after.requestBody, documents.after)
  if (old === null && now === null) return
  if (now === null) {
    report('breaking', 'BODY_REMOVED', at, 'The route takes no body any more.')
    return
  }
  if (old === null) {
    if (now.required === true) report('breaking', 'REQUIRED_BODY_ADDED', at, 'The route needs a body now.')
    else report('safe', 'BODY_ADDED', at, 'The route takes a body now.')
    return
  }
  if ((old.required === true) !== (now.required === true)) {
    if (now.required === true) report('breaking', 'BODY_BECAME_REQUIRED', at, 'The body is required now.')
    else report('safe', 'BODY_BECAME_OPTIONAL', at, 'The body may be left out now.')
  }
  compareContent(old, now, at, comparisonOf(documents, 'in'))
}

function compareContent(before: Json, after: Json, at: string, comparison: SchemaComparison): void {
  const [old, now] = [before, after].map(({ content }) => (content ?? {}) as Readonly<Record<string, Json>>) as [
    Readonly<Record<string, Json>>,
    Readonly<Record<string, Json>>,
  ]
  for (const type of Object.keys(old))
    if (now[type] === undefined)
      comparison.report('breaking', 'MEDIA_TYPE_REMOVED', at, `The media type ${type} was removed.`)
  for (const [type, media] of Object.entries(now)) {
    const known = old[type]
    if (known === undefined) comparison.report('safe', 'MEDIA_TYPE_ADDED', at, `The media type ${type} was added.`)
    else compareJsonSchemas(known.schema, media.schema, at, comparison)
  }
}

function compareResponses(before: Json, after: Json, place: string, documents: DocumentPair): void {
  const { report } = documents
  const [old, now] = [before, after].map(({ responses }) => (responses ?? {}) as Json) as [Json, Json]
  for (const status of Object.keys(old)) {
    if (now[status] !== undefined) continue
    if (isSuccess(status))
      report('breaking', 'SUCCESS_REMOVED', `${place}: ${status}`, `The status ${status} is not sent any more.`)
    else report('safe', 'ERROR_REMOVED', `${place}: ${status}`, `The status ${status} is not sent any more.`)
  }
  for (const [status, given] of Object.entries(now)) {
    const at = `${place}: ${status}`
    if (old[status] === undefined) {
      report(
        'dangerous',
        isSuccess(status) ? 'SUCCESS_ADDED' : 'ERROR_ADDED',
        at,
        `The status ${status} is possible now.`,
      )
      continue
    }
    const known = resolved(old[status], documents.before)
    const response = resolved(given, documents.after)
    compareHeaders(known, response, at, report)
    compareContent(known, response, at, comparisonOf(documents, 'out'))
  }
}

function isSuccess(status: string): boolean {
  return /^[23]/.test(status)
}

function compareHeaders(before: Json, after: Json, at: string, report: Report): void {
  const [old, now] = [before, after].map(({ headers }) => Object.keys((headers ?? {}) as Json)) as [string[], string[]]
  for (const name of old.filter((one) => !now.includes(one)))
    report('breaking', 'HEADER_REMOVED', at, `The header ${name} is not sent any more.`)
  for (const name of now.filter((one) => !old.includes(one)))
    report('safe', 'HEADER_ADDED', at, `The header ${name} is sent now.`)
}

/** `security` lists alternatives: a caller needs one of them. `{}` is a caller without a credential. */
function compareSecurity(before: Json, after: Json, place: string, report: Report): void {
  const name = (one: unknown): string => Object.keys(one as Json).join(' and ') || 'no credential'
  const [old, now] = [before, after].map(({ security }) => list(security).map(name)) as [string[], string[]]
  for (const lost of old.filter((one) => !now.includes(one)))
    report('breaking', 'SECURITY_NARROWED', place, `A call with ${lost} is refused now.`)
  for (const gained of now.filter((one) => !old.includes(one)))
    report('safe', 'SECURITY_WIDENED', place, `A call with ${gained} is permitted now.`)
}
