import type { Readable } from 'node:stream'
import type { WrappedText } from '../util/lent-text.ts'

/** What a front answers. `status` and `headers` mean something to HTTP. Header names in lower case. `content-length` is added by the server. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | readonly string[]>
  /** `null` = no body. A string is sent as UTF-8. */
  readonly body: string | Uint8Array | WrappedText | Readable | null
  /**
   * The body is a stream that says itself why it ends: where the time of its request is up, it has a few seconds for that. Any
   * other is cut then.
   */
  readonly saysWhy?: true
}
