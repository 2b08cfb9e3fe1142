import {
  http,
  type Precondition,
  queryStrings,
  refuseMasked,
  rootsOf,
  type WriteOnce,
  type WriteOptions,
} from '../../../core/doors/front.ts'
import {
  type HttpExchange,
  type MutationModel,
  type Operation,
  type Reply,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type { Work } from '../idempotency/once.ts'
import { pathArguments } from '../read/read-arguments.ts'
import { refuseErrors } from '../read/serve-rows.ts'
import { deprecatedValues } from '../reply/deprecation.ts'
import { bodyArguments } from '../request/body-arguments.ts'
import { readJsonBody } from '../request/json-body.ts'
import { type Preferences, readPreferences } from '../request/preferences.ts'
import { badRequest } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { withoutCountMarks } from '../template/mark.ts'
import { missingArguments } from './fill-missing.ts'
import { ifMatchOf } from './if-match.ts'
import { createMany } from './serve-many.ts'
import { type Unchanged, whileUnchanged } from './while-unchanged.ts'
import type { WriteParts } from './write-parts.ts'
import { locationOf, writeReply } from './write-reply.ts'
import { selectOf, type WriteWishes, writeWishes } from './write-request.ts'
import { takeId, valuesOf, writeTemplate } from './write-template.ts'

/** A call of a mutation, from one request. */
interface MutationRequest {
  readonly body: unknown
  readonly select: string | null
  readonly prefer: Preferences
  readonly condition: Precondition | null
  /** Called before the write. */
  readonly began: () => void
  /** Idempotency key of the write. */
  readonly underKey: WriteOnce | undefined
}

/** Creates the handler of a REST route for a mutation. */
export function serveWrite(route: RestRoute, mutation: MutationModel, parts: WriteParts) {
  const { options, run, authorize, templates, once } = parts
  const { method, kind, otherArguments } = route
  const wanted = route.required.map(({ wireName }) => wireName)
  const ifMatch = ifMatchOf(route, parts)
  const deprecated = deprecatedValues(mutation)
  const isMany = kind === 'create' || kind === 'create-many'

  return async (ctx: HttpExchange): Promise<Reply> => {
    http.acceptable(ctx.headers.accept, ['application/json'])
    const select = selectOf(queryStrings.readPairs(ctx.queryString))
    const prefer = readPreferences(ctx.headers.prefer)
    const condition = ifMatch(ctx, select)
    const body = method === 'DELETE' ? undefined : await readJsonBody(ctx, otherArguments.length === 0)
    const isList = isMany && Array.isArray(body)
    if (kind === 'create-many' && !isList) throw badRequest('The body has to be a JSON list of rows.')
    if (prefer.has('resolution') && !isList) throw badRequest('Prefer: resolution is for rows that are sent as a list.')
    const work: Work = isList
      ? (began, underKey) => createMany(route, mutation, parts, ctx, { rows: body, select, began, underKey })
      : (began, underKey) =>
          whileUnchanged((unchanged) => write(ctx, { body, select, prefer, condition, began, underKey }, unchanged))
    const guard = async () => {
      const [first] = isList ? (body as readonly unknown[]) : [body]
      if (first !== undefined) await authorizeCall(ctx, first, select)
    }
    return isRepeatable(ctx) && prefer.get('tx') !== 'rollback' ? once(ctx, route, body, work, guard) : work(() => {})
  }

  /** Checks that the caller may still run the mutation and read its result, before a stored reply is repeated. */
  async function authorizeCall(ctx: HttpExchange, body: unknown, select: string | null): Promise<void> {
    const call = { ...bodyArguments(otherArguments, body, wanted), ...pathArguments(route, ctx) }
    const { template } = writeTemplate(templates, route, mutation, [call], select, options)
    const allowed = await authorize(ctx, { template, variables: valuesOf([call]) })
    if (select !== null) refuseMasked(allowed)
  }

  async function write(
    ctx: HttpExchange,
    { body, select, prefer, condition, began, underKey }: MutationRequest,
    unchanged: Unchanged,
  ): Promise<Reply> {
    const key = pathArguments(route, ctx)
    const filled = kind === 'update' ? await missingArguments(route, ctx, key, body, parts, unchanged) : null
    const given = filled?.precondition ? { ...filled.args, ...(body as object) } : body
    const call = method === 'DELETE' ? key : { ...bodyArguments(otherArguments, given, wanted), ...key }
    const wishes = writeWishes(prefer, false)
    const { template, counts, deprecated: named } = writeTemplate(templates, route, mutation, [call], select, options)
    http.announceDeprecated(ctx, named ?? deprecated.arguments(call))
    const preconditions = [condition, filled?.precondition ?? null].filter((each) => each !== null)
    const manner: WriteOptions = {
      ...wishes.manner,
      ...(preconditions.length === 0 ? {} : { preconditions }),
      // Roll back when the result cannot be read: otherwise a repeat would write again.
      ...(isRepeatable(ctx) ? { certain: true, atomic: true, once: underKey } : {}),
      // Without `select`, denied fields are left out. With it, they are an error.
      complete: select !== null,
      begins: began,
    }
    const operation: Operation = { template, variables: valuesOf([call]), write: manner }
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
      const more: Record<string, string> = path === null ? {} : { location: locationOf(ctx, path, parts.schemeOf(ctx)) }
      return writeReply(201, returned === 'minimal' ? null : `{"data":${text}}`, applied, more)
    }
    return returned === 'minimal' ? writeReply(204, null, applied) : writeReply(200, `{"data":${text}}`, applied)
  }
}

/** Does the request have an idempotency key? */
function isRepeatable({ method, headers }: HttpExchange): boolean {
  return method === 'POST' && headers['idempotency-key'] !== undefined
}
