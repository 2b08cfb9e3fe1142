import { errorHeaders } from '../../core/doors/front.ts'
import { type HttpExchange, type Reply, SvcError, type ToPublicError } from '../../core/doors/plugin.ts'

/** Nothing of it is kept by anybody, nor read as anything else than it is. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The words of the spec's table "Admin errors" where they are not the code's own. */
const WORDS: Readonly<Record<string, string>> = { INTERNAL_SERVER_ERROR: 'INTERNAL_ERROR' }

/** What a handler gave, as it is: a dashboard is imported so. */
export function renderBare(value: unknown): Reply {
  return { status: 200, headers: { ...HEADERS }, body: JSON.stringify(value) }
}

/** Behaviours 15: `{ "status": "success", "data": … }`. */
export function renderData(data: unknown): Reply {
  return renderBare({ status: 'success', data })
}

/**
 * `{ "status": "error", "error": { code, message, details }, "code" }`, for readers of either form.
 * @param show keeps what nobody may see; an operator may see the messages of operator errors
 */
export function renderAdminError(show: ToPublicError, ctx: HttpExchange, error: unknown): Reply {
  const shown = show(error, ctx)
  const code = WORDS[shown.code] ?? shown.code
  const isOperators = error instanceof SvcError && error.code.startsWith('SVC_')
  const message = isOperators ? error.message : shown.message
  return {
    status: shown.status,
    headers: { ...HEADERS, ...errorHeaders(shown) },
    body: JSON.stringify({ status: 'error', error: { code, message, details: shown.details }, code }),
  }
}
