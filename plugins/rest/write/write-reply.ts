import { http } from '../../../core/doors/front.ts'
import type { HttpExchange, Reply } from '../../../core/doors/plugin.ts'
import { JSON_TYPE } from '../reply/render-error.ts'
import type { AppliedPreferences } from '../request/preferences.ts'

/** Creates the reply to a write, which must not be cached. */
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

/** Returns the URL of a row, or its path when the request has no valid `Host`. */
export function locationOf(ctx: HttpExchange, path: string, scheme: string): string {
  const { host } = ctx.headers
  return typeof host === 'string' && http.isHost(host) ? `${scheme}://${host}${path}` : path
}
