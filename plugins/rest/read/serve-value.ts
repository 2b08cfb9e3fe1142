import { http, queryStrings, rootsOf } from '../../../core/doors/front.ts'
import {
  type HttpExchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type QueryModel,
  type Reply,
  type Result,
} from '../../../core/doors/plugin.ts'
import { deprecatedValues } from '../reply/deprecation.ts'
import { JSON_TYPE } from '../reply/render-error.ts'
import { PageReader } from '../request/read-page.ts'
import type { ReadRequest } from '../request/read-request.ts'
import { badRequest, unknownParameter } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { variablesOf } from '../template/read-template.ts'
import { pathArguments, readArgument, requireArguments } from './read-arguments.ts'
import { type ReadParts, refuseErrors } from './serve-rows.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Creates the handler of a REST route for a query that does not return rows of one type. It replies with `{ "data":
 * value }`.
 */
export function serveValue(route: RestRoute, query: QueryModel, parts: ReadParts) {
  const { options, templates, caching, run } = parts
  const id = `${route.method} ${route.path}`
  const deprecated = deprecatedValues(query)
  const pages = query.list && !query.relay ? new PageReader(query, options, parts.maxRows) : null
  const available = [...route.otherArguments.map(({ wireName }) => wireName), ...(pages?.names ?? [])]

  function read(ctx: HttpExchange, body: Given | null): ReadRequest {
    const args: Record<string, unknown> = { ...body, ...pathArguments(route, ctx) }
    const paging: Record<string, string> = {}
    for (const { name, value } of queryStrings.readPairs(ctx.queryString)) {
      const argument = route.otherArguments.find((one) => one.wireName === name || one.name === name)
      if (Object.hasOwn(argument === undefined ? paging : args, argument?.wireName ?? name)) {
        throw badRequest(`The parameter "${name}" is given twice.`, { parameter: name })
      }
      if (argument !== undefined) args[argument.wireName] = readArgument(argument, value)
      else if (pages?.names.includes(name) === true) paging[name] = value
      else throw unknownParameter(name, available)
    }
    requireArguments(route, args)
    const page = pages === null ? null : pages.read(paging)
    return { select: null, sort: null, page, where: null, search: null, args, embedded: [], kept: '' }
  }

  return (ctx: HttpExchange, body: Given | null = null): MaybePromise<Reply> => {
    http.acceptable(ctx.headers.accept, ['application/json'])
    const request = read(ctx, body)
    http.announceDeprecated(ctx, deprecated.arguments(request.args))
    const { template } = templates.get(id, query, request, { counted: false, streamed: true })
    const operation: Operation = { template, variables: variablesOf(request) }
    const finish = (result: Result): Reply => {
      refuseErrors(result)
      const text = String(rootsOf(operation, result)[0]?.text ?? 'null')
      return caching.answer(ctx, query, { 'content-type': JSON_TYPE }, `{"data":${text}}`)
    }
    const result = run(ctx, operation)
    return isPromise(result) ? result.then(finish) : finish(result)
  }
}
