import {
  http,
  InputErrors,
  type Precondition,
  rootsOf,
  type WriteOnce,
  type WriteOptions,
} from '../../../core/doors/front.ts'
import {
  type HttpExchange,
  type MutationModel,
  type Operation,
  type Reply,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import { pathArguments } from '../read/read-arguments.ts'
import { brokenRules } from '../reply/broken-rules.ts'
import { deprecatedValues } from '../reply/deprecation.ts'
import { bodyArguments } from '../request/body-arguments.ts'
import { type Preferences, readPreferences } from '../request/preferences.ts'
import { badRequest, type FieldProblem, invalidFields, MOST_PROBLEMS, overLimit } from '../request/refusals.ts'
import { rowOf } from '../request/row-key.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { withoutCountMarks } from '../template/mark.ts'
import type { WriteParts } from './write-parts.ts'
import { writeReply } from './write-reply.ts'
import { atIndex, writeWishes } from './write-request.ts'
import { takeId, valuesOf, writeTemplate } from './write-template.ts'

/** The rows of a POST with a list, and how to write them. */
export interface ManyRows {
  readonly rows: readonly unknown[]
  readonly select: string | null
  /** Called right before the write, after which the request may have had effects. */
  readonly began: () => void
  /** Idempotency key to store with the write; `undefined`: the request has none. */
  readonly underKey: WriteOnce | undefined
}

/** Writes the rows of a POST with a list: one call of the mutation per row, in one transaction. */
export async function createMany(
  route: RestRoute,
  mutation: MutationModel,
  parts: WriteParts,
  ctx: HttpExchange,
  { rows, select, began, underKey }: ManyRows,
): Promise<Reply> {
  const { max_bulk_affected: most } = parts.options
  if (rows.length > most) throw overLimit(`At most ${most} rows may be sent at once (rest.max_bulk_affected).`)
  const resolution = resolutionOf(readPreferences(ctx.headers.prefer), mutation)
  const key = pathArguments(route, ctx)
  const calls = readRows(route, rows).map((call) => ({ ...call, ...key, ...resolution?.args }))
  try {
    return await runMany(route, resolution?.mutation ?? mutation, parts, ctx, {
      calls,
      select,
      began,
      underKey,
      status: 201,
      resolution: resolution?.name,
    })
  } catch (error) {
    throw error instanceof InputErrors ? brokenRules(error, route.otherArguments, true) : error
  }
}

/** Reads the arguments of each row. @throws SvcError with the problems of all rows */
function readRows(
  { otherArguments }: RestRoute,
  rows: readonly unknown[],
): readonly Readonly<Record<string, unknown>>[] {
  const problems: FieldProblem[] = []
  const calls = rows.map((row, index) => {
    try {
      return problems.length < MOST_PROBLEMS ? bodyArguments(otherArguments, row) : {}
    } catch (error) {
      const fields = error instanceof SvcError ? error.details?.fields : undefined
      if (!Array.isArray(fields)) throw atIndex(error, index)
      for (const field of fields as readonly FieldProblem[]) problems.push({ index, ...field })
      return {}
    }
  })
  if (problems.length > 0) throw invalidFields(problems.slice(0, MOST_PROBLEMS))
  return calls
}

interface Resolution {
  readonly name: string
  readonly mutation: MutationModel
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * Reads the preference for rows that exist already (`resolution`).
 * @throws SvcError BAD_REQUEST when no function supports it
 */
function resolutionOf(prefer: Preferences, { upsert, wireName }: MutationModel): Resolution | null {
  const name = prefer.get('resolution')
  if (name !== 'merge-duplicates' && name !== 'ignore-duplicates') return null
  if (upsert === null) throw badRequest(`Prefer: resolution wants an upsert_function of "${wireName}".`)
  const { mutation, resolves } = upsert
  if (name === 'ignore-duplicates' && !resolves)
    throw badRequest(`The upsert_function of "${wireName}" merges: it has no parameter "resolution" to change that.`)
  return { name, mutation, args: resolves ? { resolution: name } : {} }
}

/** Calls of one mutation that run in one transaction, and how to reply to them. */
export interface ManyCalls {
  readonly calls: readonly Readonly<Record<string, unknown>>[]
  readonly preconditions?: readonly Precondition[]
  /** Value of the query parameter `select`; `null`: all fields. */
  readonly select: string | null
  readonly began?: () => void
  readonly underKey?: WriteOnce | undefined
  /** HTTP status of the reply if it contains the written rows. */
  readonly status: number
  /** `true` if the reply contains the rows unless the client prefers otherwise. Default `true`. */
  readonly isShown?: boolean
  /** Preference `resolution` that was followed for rows that already exist; `undefined`: none. */
  readonly resolution?: string | undefined
  /** Preference `max-affected` that was followed; `undefined`: none. */
  readonly mostAffected?: string | undefined
}

/** Runs several calls of a mutation in one transaction, and replies with the list of rows. */
export async function runMany(
  route: RestRoute,
  mutation: MutationModel,
  parts: WriteParts,
  ctx: HttpExchange,
  { calls, preconditions, select, began, underKey, status, isShown = true, resolution, mostAffected }: ManyCalls,
): Promise<Reply> {
  const { returned, applied, manner } = writeWishes(readPreferences(ctx.headers.prefer), true)
  if (resolution !== undefined) applied.apply('resolution', resolution)
  if (mostAffected !== undefined) applied.apply('max-affected', mostAffected)
  const shows = returned === null ? isShown : returned === 'representation'
  const { template, counts, deprecated } = writeTemplate(parts.templates, route, mutation, calls, select, parts.options)
  const values = deprecatedValues(mutation)
  http.announceDeprecated(ctx, deprecated)
  for (const call of calls) http.announceDeprecated(ctx, values.arguments(call))
  let written: Written = { texts: [], rows: 0 }
  if (calls.length > 0) {
    const required = preconditions === undefined ? {} : { preconditions }
    const write: WriteOptions = {
      ...manner,
      ...required,
      tell: true,
      complete: select !== null,
      begins: began,
      once: underKey,
    }
    const operation: Operation = { template, variables: valuesOf(calls), write }
    const result = await parts.run(ctx, operation)
    refuseFailed(result)
    written = writtenBy(operation, result, counts, route)
  }
  const more = { 'x-rows-affected': String(written.rows) }
  if (!shows) return writeReply(status === 201 ? 201 : 204, null, applied, more)
  return writeReply(status, `{"data":[${written.texts.join(',')}]}`, applied, more)
}

interface Written {
  readonly texts: readonly string[]
  /** Number of written rows. A call can write no row or several rows. */
  readonly rows: number
}

function writtenBy(
  operation: Operation,
  result: Result,
  counts: boolean,
  { method, operation: own }: RestRoute,
): Written {
  const texts = rootsOf(operation, result).map((root) => {
    const { text } = takeId(String(root.text))
    return counts ? withoutCountMarks(text) : text
  })
  // A null row was not written. If the function returns no rows, null means nothing.
  const isNoRow = (text: string): boolean => text === 'null' && own.named.kind === 'object'
  const isNothing = (text: string): boolean => isNoRow(text) || (text === 'false' && method === 'DELETE')
  const told = result.writes?.length ?? texts.length
  // A deleted row may be known by its id only.
  const named = result.writes?.filter(({ entityId }) => entityId !== null).length ?? 0
  const rows = Math.max(named, told - texts.filter(isNothing).length)
  return { texts: texts.filter((text) => !isNoRow(text)), rows }
}

/** Throws the first error, with the index of its row. */
function refuseFailed({ errors }: Result): void {
  const error = errors?.[0]
  if (error === undefined) return
  throw atIndex(error, rowOf(error.path?.[0]) ?? 0)
}
