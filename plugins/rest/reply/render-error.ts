import { type ArgumentModel, http, InputErrors } from '../../../core/doors/front.ts'
import {
  type Exchange,
  type PublicError,
  type Reply,
  SvcError,
  type ToPublicError,
} from '../../../core/doors/plugin.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { idArgument } from '../routes/writable-fields.ts'
import { brokenRules } from './broken-rules.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Converts an error of an operation to a REST error (docs/guides/rest.md#when-something-is-wrong). An invalid field
 * becomes 422 VALIDATION_ERROR; an invalid paging or path parameter stays 400 BAD_USER_INPUT.
 * @param route `null`: no route matched the request
 */
export function toRestError(error: unknown, route: RestRoute | null): unknown {
  if (!(error instanceof SvcError)) return error
  if (error instanceof InputErrors) return brokenRules(error, route === null ? [] : bodyOf(route), false)
  const place = error.details?.argument
  if (error.code !== 'BAD_USER_INPUT' || typeof place !== 'string') return error
  const message = error.message.replace(/^Argument "[^"]*" of "[^"]*": /, '')
  const [argument = '', ...below] = place.split('.')
  const isInPath = route?.pathArguments.some(({ wireName }) => wireName === argument) === true
  if (isInPath || PAGING.has(argument)) {
    return new SvcError('BAD_USER_INPUT', `${argument}: ${message}`, { details: { parameter: argument } })
  }
  const field =
    argument === 'where'
      ? below
          .filter((name) => !/^_(and|or|not)/.test(name))
          .join('.')
          .replace(/\._/, '.')
      : place
  const fields = [{ field: field.replace(/\.eq$/, ''), reason: message.replace(/\.$/, '') }]
  return new SvcError('VALIDATION_ERROR', `${fields[0]!.field}: ${message}`, {
    details: { fields },
    status: 422,
    cause: error,
  })
}

/** Returns the arguments of the body. The rows of an update of many are chosen by the query string. */
function bodyOf({ kind, operation, otherArguments }: RestRoute): readonly ArgumentModel[] {
  const id = kind === 'update-many' ? idArgument(operation) : null
  return otherArguments.filter((argument) => argument !== id)
}

const PAGING: ReadonlySet<string> = new Set(['limit', 'offset', 'first', 'after', 'last', 'before'])

/**
 * Renders an error as a reply with `{ "error": { code, message, details } }`.
 * @param show converts an error to the form that clients may see
 * @param route `null`: no route matched the request
 */
export function renderRestError(show: ToPublicError, ctx: Exchange, error: unknown, route: RestRoute | null): Reply {
  const shown: PublicError = show(toRestError(error, route), ctx)
  return {
    status: shown.status,
    headers: { 'content-type': JSON_TYPE, ...http.errorHeaders(shown) },
    body: errorText(shown),
  }
}

export function errorText({ code, message, details }: PublicError): string {
  return JSON.stringify({ error: { code, message, details } })
}
