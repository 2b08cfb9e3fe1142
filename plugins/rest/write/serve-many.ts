import {
  type HttpExchange,
  type MutationModel,
  type Operation,
  type Reply,
  type Result,
  rootsOf,
} from '../../../core/index.ts'
import { pathArguments } from '../read/read-arguments.ts'
import { bodyArguments } from '../request/body-arguments.ts'
import { readPreferences } from '../request/preferences.ts'
import { badRequest, overLimit } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { withoutCountMarks } from '../template/mark.ts'
import type { WriteParts } from './write-parts.ts'
import { writeReply } from './write-reply.ts'
import { atIndex, writeWishes } from './write-request.ts'
import { rootKey, takeId, writeOperation, writeSelection } from './write-template.ts'

/** A list of rows: one call for each, in one transaction. */
export async function createMany(
  route: RestRoute,
  mutation: MutationModel,
  parts: WriteParts,
  ctx: HttpExchange,
  rows: readonly unknown[],
  select: string | null,
): Promise<Reply> {
  const { max_bulk_affected: most } = parts.options
  if (rows.length > most) throw overLimit(`At most ${most} rows may be sent at once (rest.max_bulk_affected).`)
  const prefer = readPreferences(ctx.headers.prefer)
  if (prefer.has('resolution'))
    throw badRequest(`Prefer: resolution wants an upsert_function of "${mutation.wireName}".`)
  const key = pathArguments(route, ctx)
  const calls = rows.map((row, index) => {
    try {
      return { ...bodyArguments(route.otherArguments, row), ...key }
    } catch (error) {
      throw atIndex(error, index)
    }
  })
  return runMany(route, mutation, parts, ctx, calls, select, 201)
}

/** Calls in one transaction, answered with a list. @param status of an answer with the rows */
export async function runMany(
  route: RestRoute,
  mutation: MutationModel,
  parts: WriteParts,
  ctx: HttpExchange,
  calls: readonly Readonly<Record<string, unknown>>[],
  select: string | null,
  status: number,
  isShown = true,
): Promise<Reply> {
  const { returned, applied, manner } = writeWishes(readPreferences(ctx.headers.prefer), true)
  const more = { 'x-rows-affected': String(calls.length) }
  const shows = returned === null ? isShown : returned === 'representation'
  const { selection, counts } = writeSelection(route, select, parts.options)
  let texts: readonly string[] = []
  if (calls.length > 0) {
    const operation = writeOperation(mutation, calls, selection, manner)
    const result = await parts.run(ctx, operation)
    refuseFailed(result)
    texts = textsOf(operation, result, counts)
  }
  if (!shows) return writeReply(status === 201 ? 201 : 204, null, applied, more)
  return writeReply(status, `{"data":[${texts.join(',')}]}`, applied, more)
}

function textsOf(operation: Operation, result: Result, counts: boolean): readonly string[] {
  return rootsOf(operation, result).map((root) => {
    const { text } = takeId(String(root.text))
    return counts ? withoutCountMarks(text) : text
  })
}

/** The failure of one fails all, and says which. */
function refuseFailed({ errors }: Result): void {
  const error = errors?.[0]
  if (error === undefined) return
  const key = error.path?.[0]
  const index = typeof key === 'string' && rootKey(Number(key.slice(1))) === key ? Number(key.slice(1)) : 0
  throw atIndex(error, index)
}
