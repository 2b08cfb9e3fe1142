import { http, InputErrors } from '../../../core/doors/front.ts'
import {
  type Exchange,
  type HttpExchange,
  type PublicError,
  type Reply,
  type Result,
  SvcError,
  WrappedText,
} from '../../../core/doors/plugin.ts'
import { DocumentErrors } from '../document/document-errors.ts'
import type { ResponseType } from './media-types.ts'

const CONTENT_TYPES: Readonly<Record<ResponseType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
}

/** An entry of `errors` in a GraphQL response (GraphQL specification, section 7.1.2). */
export interface RenderedError {
  readonly message: string
  readonly locations?: SvcError['locations']
  readonly path?: SvcError['path']
  readonly extensions: Readonly<Record<string, unknown>>
}

interface Rendered {
  readonly entry: RenderedError
  readonly facts: PublicError
}

/**
 * Returns the JSON text for `extensions` of a response. Called once, when the response is written.
 * @param errors entries of `errors` in this response
 */
export type DescribeAnswer = (errors: readonly RenderedError[]) => string

/** Converts an error to the form that clients may see, counts it, and logs internal errors. */
export type ShowError = (error: unknown, ctx: Exchange) => PublicError

function render(ctx: Exchange, error: unknown, show: ShowError): Rendered {
  const facts = show(error, ctx)
  const place = error instanceof SvcError ? error : null
  return {
    facts,
    entry: {
      message: facts.message,
      ...(place?.locations === undefined ? {} : { locations: place.locations }),
      ...(place?.path === undefined ? {} : { path: place.path }),
      extensions: {
        ...facts.details,
        ...(facts.retryAfter === undefined ? {} : { retryAfter: facts.retryAfter }),
        code: facts.code,
        statusCode: facts.status,
      },
    },
  }
}

/** Returns the errors of a thrown value. */
function listErrors(error: unknown): readonly unknown[] {
  return error instanceof DocumentErrors || error instanceof InputErrors ? error.errors : [error]
}

/**
 * Converts a thrown value to entries of `errors` in a GraphQL response. Clients do not see details of internal errors,
 * which are logged.
 */
export function renderErrors(ctx: Exchange, error: unknown, show: ShowError): readonly RenderedError[] {
  return listErrors(error).map((each) => render(ctx, each, show).entry)
}

/**
 * Writes the response of an executed GraphQL operation. `errors` come before `data`, as the specification recommends.
 * @param describe writes `extensions`; `null`: none
 */
export function respond(
  ctx: Exchange,
  result: Result,
  type: ResponseType,
  show: ShowError,
  describe: DescribeAnswer | null,
): Reply {
  if (result.errors === null || result.errors.length === 0) {
    const { text } = result
    const end = endOf([], describe)
    const body = text === undefined ? `{"data":${result.data ?? 'null'}${end}` : new WrappedText('{"data":', text, end)
    return { status: 200, headers: { 'content-type': CONTENT_TYPES[type] }, body }
  }
  const rendered = result.errors.map((error) => render(ctx, error, show))
  const unavailable = result.data === null ? rendered.find(({ facts }) => facts.status === 503) : undefined
  if (unavailable !== undefined) return fail(rendered, unavailable.facts.status, unavailable.facts, type, describe)
  const entries = rendered.map(({ entry }) => entry)
  return {
    status: 200,
    headers: { 'content-type': CONTENT_TYPES[type] },
    body: `{"errors":${JSON.stringify(entries)},"data":${result.data ?? 'null'}${endOf(entries, describe)}`,
  }
}

function endOf(errors: readonly RenderedError[], describe: DescribeAnswer | null): string {
  return describe === null ? '}' : `,"extensions":${describe(errors)}}`
}

/**
 * Writes the response of a well-formed GraphQL request that failed before execution gave data. The status is that of
 * the error for `application/graphql-response+json`. For `application/json` it is 503 if the service is unavailable,
 * and otherwise 200.
 * @param describe writes `extensions`; `null`: none
 */
export function respondToFailure(
  ctx: Exchange,
  error: unknown,
  type: ResponseType,
  show: ShowError,
  describe: DescribeAnswer | null,
): Reply {
  const rendered = listErrors(error).map((each) => render(ctx, each, show))
  const { facts } = rendered[0]!
  const status = type === 'application/json' && facts.status !== 503 ? 200 : facts.status
  return fail(rendered, status, facts, type, describe)
}

/**
 * Writes the response of a malformed or rejected GraphQL request. The HTTP status is that of the error for both media
 * types.
 * @param describe writes `extensions`; `null`: none
 */
export function respondToRefusal(
  ctx: Exchange,
  error: unknown,
  type: ResponseType,
  show: ShowError,
  describe: DescribeAnswer | null,
): Reply {
  const rendered = listErrors(error).map((each) => render(ctx, each, show))
  const { facts } = rendered[0]!
  return fail(rendered, facts.status, facts, type, describe)
}

function fail(
  rendered: readonly Rendered[],
  status: number,
  facts: PublicError,
  type: ResponseType,
  describe: DescribeAnswer | null,
): Reply {
  const entries = rendered.map(({ entry }) => entry)
  const headers = status === 200 ? {} : http.errorHeaders(facts)
  return {
    status,
    headers: { ...headers, 'content-type': CONTENT_TYPES[type] },
    body: `{"errors":${JSON.stringify(entries)}${endOf(entries, describe)}`,
  }
}

/**
 * Called after a GraphQL request was read, to add a member to `extensions` of its response.
 * @returns a function that returns the JSON text of the member when the response is written; `null`: no member
 */
export type BeginExtension = (ctx: HttpExchange) => ((errors: readonly RenderedError[]) => string) | null

/** The members that plugins add to `extensions` of GraphQL responses over HTTP. */
export class AnswerExtensions {
  readonly #begin = new Map<string, BeginExtension>()

  /** @throws SvcError SVC_PROVIDE_DUPLICATE */
  add(name: string, begin: BeginExtension): void {
    if (this.#begin.has(name)) {
      const message = `Two plugins add "${name}" to the extensions of GraphQL's answers: disable one of them.`
      throw new SvcError('SVC_PROVIDE_DUPLICATE', message)
    }
    this.#begin.set(name, begin)
  }

  /** @returns `null` when no plugin adds a member */
  of(ctx: HttpExchange): DescribeAnswer | null {
    if (this.#begin.size === 0) return null
    const ends: [string, (errors: readonly RenderedError[]) => string][] = []
    for (const [name, begin] of this.#begin) {
      const end = begin(ctx)
      if (end !== null) ends.push([name, end])
    }
    if (ends.length === 0) return null
    return (errors) => `{${ends.map(([name, end]) => `${JSON.stringify(name)}:${end(errors)}`).join()}}`
  }
}
