import { isHost } from '../../../core/doors/front.ts'
import type { HttpExchange, Reply } from '../../../core/doors/plugin.ts'
import { JSON_TYPE } from '../reply/render-error.ts'
import type { AppliedPreferences } from '../request/preferences.ts'

/** An answer to a write, which nobody keeps. */
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

/** The whole URL of a row where the client's idea of the host is known, else its path. */
export function locationOf(ctx: HttpExchange, path: string, scheme: string): string {
  const { host } = ctx.headers
  return typeof host === 'string' && isHost(host) ? `${scheme}://${host}${path}` : path
}
