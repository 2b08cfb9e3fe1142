import {
  type ArgumentNode,
  coerceInput,
  SEARCH_ARGUMENT,
  selectionOf,
  type VariableDeclaration,
  type WrapperField,
} from '../../../core/doors/front.ts'
import type { ObjectType, OperationTemplate, QueryModel, RootSelection, Selection } from '../../../core/doors/plugin.ts'
import { parseSelect } from '../request/parse-select.ts'
import type { ReadRequest } from '../request/read-request.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import { type Embed, typeRef } from './embeds.ts'
import { MARK } from './mark.ts'
import { refuseUnused, type SelectContext, selectFields } from './select-fields.ts'
import { deprecatedOrder, type SortOrder, sortOrder } from './sort-order.ts'

/**
 * The operation for REST reads that differ only in values, such as operands of filters. It is cached with its plans.
 */
export interface ReadTemplate {
  readonly template: OperationTemplate
  readonly embeds: ReadonlyMap<string, Embed>
  /** `true` if the response text contains marked row counts to unwrap. */
  readonly counts: boolean
  /** Deprecation reason of a field in `select` or `sort`; `undefined`: none is deprecated. */
  readonly deprecated: string | undefined
  /** Approximate memory of the template and its plans, in bytes. */
  bytes: number
}

/** How the reply contains the rows, on which the operation depends. */
export interface ReadForm {
  /** `true` if the reply contains the total number of rows. */
  readonly counted: boolean
  /** `true` if the rows are streamed as lines: they have no wrapper, and no extra row is read to detect a next page. */
  readonly streamed: boolean
}

/** Response key of the rows in operations that REST makes. */
export const ROWS = 'rows'
export const TOTAL = 'total'

const BYTES = 4000

/**
 * Returns the cache key for the operation of a REST read. It contains everything except values that become variables,
 * such as operands of filters.
 */
export function templateKey(
  { select, sort, page, where, search, args, embedded }: ReadRequest,
  form: ReadForm,
): string {
  const paging =
    page === null
      ? ''
      : page.kind === 'offset'
        ? `${page.limit},${page.offset === null || page.offset === 0 ? '' : 'o'}`
        : `${page.direction}${page.size}${page.after === null ? '' : 'a'}${page.before === null ? '' : 'b'}`
  const flags = `${where === null ? '' : 'w'}${search === null ? '' : 's'}${form.counted ? 'c' : ''}${form.streamed ? 'n' : ''}`
  let key = `${paging}|${flags}|${part(sort)}|${part(select)}`
  for (const name in args) key += `|${name}`
  for (const { name, what, value } of embedded) key += `|${part(name)}${what === 'condition' ? '' : `=${part(value)}`}`
  return key
}

/** Adds the length of a text, so that different requests have different keys, with `null` and empty text apart. */
function part(text: string | null): string {
  return text === null ? '' : `${text.length}:${text}`
}

/** Returns the values of a REST read that are variables of its operation, without the filters of related rows. */
export function variablesOf({ page, where, search, args }: ReadRequest): Record<string, unknown> {
  const variables: Record<string, unknown> = {}
  for (const name in args) variables[`arg:${name}`] = args[name]
  if (where !== null) variables.where = where
  if (search !== null) variables.search = search
  if (page?.kind === 'offset') {
    if (page.offset !== null && page.offset > 0) variables.offset = page.offset
  } else if (page !== null) {
    if (page.after !== null) variables.after = page.after
    if (page.before !== null) variables.before = page.before
  }
  return variables
}

/**
 * Builds the operation for a REST read, with variables for its values.
 * @param onPlanned called with the size in bytes of a plan that is cached with the operation
 * @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST or VALIDATION_ERROR for an invalid `select`, `sort` or parameter of a
 * list of related rows
 */
export function buildReadTemplate(
  query: QueryModel,
  request: ReadRequest,
  form: ReadForm,
  options: RequestLimits,
  onPlanned: (bytes: number) => void,
): ReadTemplate {
  const { named } = query
  const context: SelectContext = {
    embedded: request.embedded,
    maxPageSize: options.max_page_size,
    embeds: new Map(),
    counts: false,
    deprecated: undefined,
  }
  const nodes = request.select === null ? null : parseSelect(request.select, options.max_embedding_depth)
  const rows = named.kind === 'object' ? selectFields(context, named, nodes) : selectionOf(named)
  refuseUnused(context)
  const order = request.sort === null ? null : sortOrder(request.sort, named as ObjectType)
  if (order !== null) context.deprecated ??= deprecatedOrder(named as ObjectType, order)
  const { args, filters, variables } = argumentsOf(query, request, order)
  const roots: RootSelection[] = [
    {
      kind: 'operation',
      responseKey: ROWS,
      operation: query,
      arguments: args,
      selection: wrap(query, rows, form),
      location: null,
      ...(request.page?.kind === 'offset' && !form.streamed ? { lookAhead: true } : {}),
    },
  ]
  if (form.counted && !query.relay && !query.autoParams.total_count) roots.push(countRoot(query, filters))
  const template: OperationTemplate = { kind: 'query', name: null, roots, variables, onPlanned }
  const { embeds, counts, deprecated } = context
  return { template, embeds, counts, deprecated, bytes: BYTES }
}

interface Arguments {
  readonly args: readonly ArgumentNode[]
  /** Arguments that filter rows, without paging. */
  readonly filters: readonly ArgumentNode[]
  readonly variables: readonly VariableDeclaration[]
}

function argumentsOf(
  query: QueryModel,
  { args: given, where, search, page }: ReadRequest,
  order: SortOrder | null,
): Arguments {
  const filters: ArgumentNode[] = []
  const paging: ArgumentNode[] = []
  const variables: VariableDeclaration[] = []
  const bind = (list: ArgumentNode[], argument: string, variable: string, notation: string): void => {
    const type = typeRef(notation)
    variables.push({ name: variable, type, default: undefined })
    list.push({ name: argument, value: { kind: 'variable', name: variable, type } })
  }
  for (const { wireName, type, named, default: byDefault } of query.arguments.values()) {
    if (Object.hasOwn(given, wireName)) {
      const name = `arg:${wireName}`
      variables.push({ name, type, default: undefined })
      filters.push({ name: wireName, value: { kind: 'variable', name, type } })
    } else if (byDefault !== undefined) {
      filters.push({
        name: wireName,
        value: { kind: 'constant', value: coerceInput(type, named, byDefault, [wireName]) },
      })
    }
  }
  if (where !== null) bind(filters, 'where', 'where', `${query.named.name}WhereInput!`)
  if (search !== null) bind(filters, SEARCH_ARGUMENT, 'search', 'String!')
  if (order !== null) paging.push({ name: 'orderBy', value: { kind: 'constant', value: order } })
  if (page?.kind === 'offset') {
    if (page.limit !== null) paging.push({ name: 'limit', value: { kind: 'constant', value: page.limit } })
    if (page.offset !== null && page.offset > 0) bind(paging, 'offset', 'offset', 'Int!')
  } else if (page !== null) {
    paging.push({ name: page.direction, value: { kind: 'constant', value: page.size } })
    if (page.after !== null) bind(paging, 'after', 'after', 'String!')
    if (page.before !== null) bind(paging, 'before', 'before', 'String!')
  }
  return { args: [...filters, ...paging], filters, variables }
}

/** Wraps the rows of connections and counted lists. Only the node of an edge is selected. */
function wrap(query: QueryModel, rows: Selection, { counted, streamed }: ReadForm): Selection {
  if (query.relay) {
    const total: readonly WrapperField[] = counted ? [{ field: 'totalCount', responseKey: TOTAL }] : []
    return {
      kind: 'connection',
      typeName: `${query.named.name}Connection`,
      fields: [
        ...total,
        { field: 'pageInfo', responseKey: 'page', members: PAGE_MEMBERS },
        { field: 'edges', responseKey: 'edges', members: [{ name: 'node', responseKey: MARK, selection: rows }] },
      ],
    }
  }
  if (!query.autoParams.total_count || streamed) return rows
  const total: readonly WrapperField[] = counted ? [{ field: 'totalCount', responseKey: TOTAL }] : []
  const items: WrapperField = { field: 'items', responseKey: 'items', selection: rows }
  return { kind: 'list', typeName: `${query.named.name}List`, fields: [...total, items] }
}

const PAGE_MEMBERS = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'].map((name) => ({
  name,
  responseKey: name,
}))

/** Root that counts all rows with the rules and filters of the list, in the same statement. */
function countRoot(query: QueryModel, filters: readonly ArgumentNode[]): Extract<RootSelection, { kind: 'aggregate' }> {
  return {
    kind: 'aggregate',
    responseKey: TOTAL,
    operation: query,
    arguments: filters,
    groupBy: null,
    fields: [{ kind: 'measure', responseKey: MARK, function: 'count', field: null }],
    having: [],
    orderBy: [],
    location: null,
  }
}
