import { http, queryStrings, rootsOf } from '../../../core/doors/front.ts'
import {
  type HttpExchange,
  type MutationModel,
  type ObjectType,
  type Operation,
  parseJson,
  type QueryModel,
  type Reply,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import { ParameterReader } from '../read/read-parameters.ts'
import { refuseErrors } from '../read/serve-rows.ts'
import { deprecatedValues } from '../reply/deprecation.ts'
import { bodyArguments } from '../request/body-arguments.ts'
import { readJsonBody } from '../request/json-body.ts'
import { readPreferences } from '../request/preferences.ts'
import type { ReadRequest } from '../request/read-request.ts'
import { badInput, badRequest } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { idArgument } from '../routes/writable-fields.ts'
import { variablesOf } from '../template/read-template.ts'
import { runMany } from './serve-many.ts'
import { whileUnchanged } from './while-unchanged.ts'
import type { WriteParts } from './write-parts.ts'

/**
 * Creates the handler of `PATCH` or `DELETE` on a list route. It looks up the matching rows that the caller may read,
 * and calls the mutation for each in one transaction. If too many match, nothing is written.
 * @param list route of the list query that finds the rows
 */
export function serveMatching(route: RestRoute, mutation: MutationModel, list: RestRoute, parts: WriteParts) {
  const { options, run, templates } = parts
  const query = list.operation as QueryModel
  const reader = new ParameterReader(list, query, query.named as ObjectType, options, parts.maxRows)
  const id = idArgument(mutation)!
  const deprecated = deprecatedValues(query)
  const lookUpId = `${route.method} ${route.path} rows`
  const others = route.otherArguments.filter((argument) => argument !== id)

  return async (ctx: HttpExchange): Promise<Reply> => {
    http.acceptable(ctx.headers.accept, ['application/json'])
    if (ctx.headers['if-match'] !== undefined) throw badRequest('If-Match is about one row, and this is about many.')
    const body = route.method === 'DELETE' ? undefined : await readJsonBody(ctx, false)
    const pairs = queryStrings.readPairs(ctx.queryString)
    const paging = pairs.find(({ name }) => ['limit', 'offset', 'sort', 'search'].includes(name))
    if (paging !== undefined)
      throw badRequest(`"${paging.name}" does not say which rows are meant: use filters.`, { parameter: paging.name })
    const request = reader.read(pairs, {})
    if (!isEffective(request.where) && !comparesColumn(query, request.args)) {
      throw badRequest('Without a filter that leaves rows out, every row would be meant. Say which are.')
    }
    http.announceDeprecated(ctx, deprecated.arguments(request.args) ?? deprecated.filter(request.where))
    const given = route.method === 'DELETE' ? {} : bodyArguments(others, body)
    const most = mostAffected(ctx, options.max_bulk_affected, parts.maxRows)
    const isShown = route.method !== 'DELETE' || options.delete_response === 'entity'
    return whileUnchanged(async (unchanged) => {
      const operation = lookUp(request, most)
      const keys = keysOf(operation, await run(ctx, operation), most)
      const calls = keys.map((key) => ({ ...given, [id.wireName]: key }))
      // The write is repeated if another set of rows matches by now.
      const check = (result: Result): void => unchanged.require(isSame(keys, keysOf(operation, result, most)))
      const preconditions = [{ operation, check }]
      return runMany(route, mutation, parts, ctx, {
        calls,
        preconditions,
        select: request.select,
        status: 200,
        isShown,
        mostAffected: readPreferences(ctx.headers.prefer).get('max-affected'),
      })
    })
  }

  /** Operation that reads the ids of matching rows, one more than the limit. */
  function lookUp({ args, where }: ReadRequest, most: number): Operation {
    const wanted: ReadRequest = {
      select: 'id',
      sort: null,
      search: null,
      page: { kind: 'offset', limit: most + 1, offset: null },
      where,
      args,
      embedded: [],
      kept: '',
    }
    const { template } = templates.get(lookUpId, query, wanted, { counted: false, streamed: true })
    return { template, variables: variablesOf(wanted) }
  }
}

/** @throws SvcError VALIDATION_ERROR for more rows than `most` */
function keysOf(operation: Operation, result: Result, most: number): readonly unknown[] {
  refuseErrors(result)
  const rows = parseJson(String(rootsOf(operation, result)[0]?.text ?? '[]')) as readonly { readonly id: unknown }[]
  if (rows.length <= most) return rows.map((row) => row.id)
  throw new SvcError('VALIDATION_ERROR', `More than ${most} rows match; nothing was changed.`, {
    details: { limit: most, matched: rows.length },
  })
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  const keys = new Set(before.map(String))
  return keys.size === now.length && now.every((key) => keys.has(String(key)))
}

/** Does an argument compare a column? Other arguments, such as those of a function, need not exclude any row. */
function comparesColumn(query: QueryModel, args: Readonly<Record<string, unknown>>): boolean {
  return [...query.arguments.values()].some(
    ({ name, wireName }) =>
      (args[wireName] ?? null) !== null && (query.argumentReads.has(name) || query.argumentReads.has(wireName)),
  )
}

/** Returns the maximum number of rows. The client can lower it. @throws SvcError BAD_USER_INPUT */
function mostAffected(ctx: HttpExchange, bound: number, maxRows: number): number {
  const most = maxRows > 0 ? Math.min(bound, maxRows - 1) : bound
  const wanted = readPreferences(ctx.headers.prefer).get('max-affected')
  if (wanted === undefined) return most
  if (!/^\d{1,9}$/.test(wanted)) throw badInput('Prefer: max-affected has to be a number of rows.', 'max-affected')
  return Math.min(most, Number(wanted))
}

/**
 * Tests whether a filter can exclude rows, to reject writes to all rows. A filter that is always true, or only excludes
 * NULL, does not count.
 * @param filter filter in GraphQL form (`where`)
 */
export function isEffective(filter: unknown): boolean {
  return leavesOut(filter, false)
}

/** @param negated `true`: negate the filter */
function leavesOut(filter: unknown, negated: boolean): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  const members = Object.entries(filter)
  // `{}` matches all rows, and its negation none.
  if (members.length === 0) return false
  const each = ([key, value]: readonly [string, unknown]): boolean => {
    if (key === '_not') return leavesOut(value, !negated)
    if (key === '_and' || key === '_or') {
      const parts = value as readonly unknown[]
      const oneIsEnough = (key === '_and') !== negated
      return oneIsEnough
        ? parts.some((part) => leavesOut(part, negated))
        : parts.length > 0 && parts.every((part) => leavesOut(part, negated))
    }
    if (key.startsWith('_')) return operatorLeavesOut(key, value, negated)
    if (key === 'some' || key === 'none') return true
    return leavesOut(value, negated)
  }
  return negated ? members.every(each) : members.some(each)
}

/** Operands that match every text, by operator. */
const FITS_ALL: readonly (readonly [RegExp, RegExp])[] = [
  [/^_i?(contains|startswith|endswith)$/, /^$/],
  [/^_i?like$/, /^%+$/],
  [/^_i?regex$/, /^\^?(\.\*)*\$?$/],
]

function operatorLeavesOut(operator: string, operand: unknown, negated: boolean): boolean {
  const isEmptyList = Array.isArray(operand) && operand.length === 0
  if (operator === '_nin' && isEmptyList) return negated
  if (operator === '_in' && isEmptyList) return !negated
  if (typeof operand !== 'string' || negated) return true
  return !FITS_ALL.some(([name, all]) => name.test(operator) && all.test(operand))
}
