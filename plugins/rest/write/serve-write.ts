import { type HttpExchange, type MutationModel, type Reply, rootsOf, SvcError } from '../../../core/index.ts'
import { pathArguments } from '../read/read-arguments.ts'
import { refuseErrors } from '../read/serve-rows.ts'
import { acceptable } from '../request/accept.ts'
import { bodyArguments } from '../request/body-arguments.ts'
import { readJsonBody } from '../request/json-body.ts'
import { readPreferences } from '../request/preferences.ts'
import { readPairs } from '../request/query-pairs.ts'
import { badRequest } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { withoutCountMarks } from '../template/mark.ts'
import { missingArguments } from './fill-missing.ts'
import { createMany } from './serve-many.ts'
import type { WriteParts } from './write-parts.ts'
import { locationOf, writeReply } from './write-reply.ts'
import { selectOf, type WriteWishes, writeWishes } from './write-request.ts'
import { takeId, writeOperation, writeSelection } from './write-template.ts'

/** The handler of a mutation. */
export function serveWrite(route: RestRoute, mutation: MutationModel, parts: WriteParts) {
  const { options, run } = parts
  const { method, kind, otherArguments } = route
  const wanted = route.required.map(({ wireName }) => wireName)

  async function argumentsOf(ctx: HttpExchange, body: unknown): Promise<Record<string, unknown>> {
    const key = pathArguments(route, ctx)
    if (method === 'DELETE') return key
    const filled = kind === 'update' ? await missingArguments(route, ctx, key, body, parts) : {}
    const given = Object.keys(filled).length === 0 ? body : { ...filled, ...(body as object) }
    return { ...bodyArguments(otherArguments, given, wanted), ...key }
  }

  return async (ctx: HttpExchange): Promise<Reply> => {
    acceptable(ctx.headers.accept, ['application/json'])
    const select = selectOf(readPairs(ctx.queryString))
    const prefer = readPreferences(ctx.headers.prefer)
    const body = method === 'DELETE' ? undefined : await readJsonBody(ctx, otherArguments.length === 0)
    if ((kind === 'create' || kind === 'create-many') && Array.isArray(body))
      return createMany(route, mutation, parts, ctx, body, select)
    if (kind === 'create-many') throw badRequest('The body has to be a JSON list of rows.')
    if (prefer.has('resolution')) throw badRequest('Prefer: resolution is for rows that are sent as a list.')
    const wishes = writeWishes(prefer, false)
    const { selection, counts } = writeSelection(route, select, options)
    const operation = writeOperation(mutation, [await argumentsOf(ctx, body)], selection, wishes.manner)
    const result = await run(ctx, operation)
    refuseErrors(result)
    const { id, text } = takeId(String(rootsOf(operation, result)[0]?.text ?? 'null'))
    return answer(ctx, wishes, id, counts ? withoutCountMarks(text) : text)
  }

  function answer(ctx: HttpExchange, { returned, applied }: WriteWishes, id: string | null, text: string): Reply {
    if (kind === 'delete') {
      if (text === 'false') throw new SvcError('NOT_FOUND', 'There is no such row.')
      const wantsEntity = returned === null ? options.delete_response === 'entity' : returned === 'representation'
      if (!wantsEntity) return writeReply(204, null, applied)
      if (route.resource?.type === mutation.named && text !== 'null')
        return writeReply(200, `{"data":${text}}`, applied)
      if (returned !== null) applied.withdraw('return')
      applied.fallBack('entity-unavailable')
      return writeReply(204, null, applied)
    }
    if (text === 'null' && (kind === 'update' || kind === 'replace'))
      throw new SvcError('NOT_FOUND', 'There is no such row.')
    if (kind === 'create') {
      const path = id === null ? null : parts.pathOf(route, id)
      const more: Record<string, string> = path === null ? {} : { location: locationOf(ctx, path, parts.isSecure) }
      return writeReply(201, returned === 'minimal' ? null : `{"data":${text}}`, applied, more)
    }
    return returned === 'minimal' ? writeReply(204, null, applied) : writeReply(200, `{"data":${text}}`, applied)
  }
}
