import type { Readable } from 'node:stream'
import type { WrappedText } from '../base/util/lent-text.ts'

/**
 * The response to a request, over any transport. `status` and `headers` (by lower-case name) are those of HTTP; other
 * protocols translate them. The HTTP server adds `content-length`.
 */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | readonly string[]>
  /** Body of the response; `null`: none. A string is sent as UTF-8. */
  readonly body: string | Uint8Array | WrappedText | Readable | null
  /**
   * `true`: the body is a stream that can report an error itself. After the request's deadline it has a few seconds to
   * do so; any other stream is cut off at once.
   */
  readonly saysWhy?: true
}
