import type { Readable } from 'node:stream'
import type { WrappedText } from '../base/util/lent-text.ts'

/** Reply of a front. `status` and `headers` (lower-case names) apply to HTTP. The server adds `content-length`. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | readonly string[]>
  /** Body of the reply; `null`: none. A string is sent as UTF-8. */
  readonly body: string | Uint8Array | WrappedText | Readable | null
  /**
   * The body is a stream that reports errors itself. After the deadline it has a few seconds to send its error; other
   * streams end at once.
   */
  readonly saysWhy?: true
}
