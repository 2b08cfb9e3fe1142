import { errorHeaders } from '../../core/doors/front.ts'
import { type HttpExchange, type Reply, SvcError, type ToPublicError } from '../../core/doors/plugin.ts'

/** Answers are never cached, and browsers do not guess their content type. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Codes that have another name in the admin API (docs/plugins/admin.md#errors). */
const WORDS: Readonly<Record<string, string>> = { INTERNAL_SERVER_ERROR: 'INTERNAL_ERROR' }

/** Renders a value without an envelope, as Grafana imports a dashboard. */
export function renderBare(value: unknown): Reply {
  return { status: 200, headers: { ...HEADERS }, body: JSON.stringify(value) }
}

/** Renders `{ "status": "success", "data": … }`. */
export function renderData(data: unknown): Reply {
  return renderBare({ status: 'success', data })
}

/**
 * Renders `{ "status": "error", "error": { code, message, details }, "code" }`. The code stands twice, for clients that read either.
 * @param show converts the error to its public form. Operators also see the messages of operator errors (`SVC_…`)
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
