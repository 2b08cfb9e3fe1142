import { http } from '../../../core/doors/front.ts'
import type { HttpExchange, Reply } from '../../../core/doors/plugin.ts'
import { JSON_TYPE } from '../reply/render-error.ts'
import type { AppliedPreferences } from '../request/preferences.ts'

/**
 * Creates the reply to a REST write, with headers that forbid caching.
 * @param body JSON text; `null`: no body
 * @param applied preferences that were followed
 * @param more further headers
 */
export function writeReply(
  status: number,
  body: string | null,
  applied: AppliedPreferences,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const headers: Record<string, string | readonly string[]> = { 'cache-control': 'no-store', ...more }
  if (body !== null) headers['content-type'] = JSON_TYPE
  applied.writeTo(headers)
  return { status, headers, body }
}

/**
 * Returns the absolute URL of a row for the header `Location`, or only its path when the request has no valid `Host`.
 */
export function locationOf(ctx: HttpExchange, path: string, scheme: string): string {
  const { host } = ctx.headers
  return typeof host === 'string' && http.isHost(host) ? `${scheme}://${host}${path}` : path
}
