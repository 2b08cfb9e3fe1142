import type { SvcError } from '../base/errors/svc-error.ts'
import type { LentText } from '../base/util/lent-text.ts'
import type { WrittenList } from '../base/util/written-list.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { ResultStream } from './result-stream.ts'

/**
 * Result of an operation. `data` is JSON text, which is sent without being parsed. The plugin that serves the protocol
 * adds its envelope (`{"data":…}`), formats the errors, and sets the status.
 */
export interface Result {
  /**
   * JSON text of an object with the root fields. `null`: a non-null root field failed, nothing was executed, or the
   * result is a stream.
   */
  readonly data: string | null
  /**
   * The same text as `data` in UTF-8 bytes, if it is long. To send it unchanged, use this instead of `data`, whose
   * string is only created when it is read. Its memory is reused after it was sent: call `keep()` before you store the
   * result or give it to a second request (docs/explain/architecture.md#who-owns-the-bytes-of-a-large-answer).
   */
  readonly text?: LentText
  readonly errors: readonly SvcError[] | null
  /**
   * Position of a list inside `data`, in characters, if the writer of `data` recorded it. Absent if `text` is set,
   * which has its own.
   */
  readonly list?: WrittenList
  /**
   * Rows of the result when the operation requests a stream (`Operation.form`); `data` is then null. Absent if the
   * operation failed before its first row; `errors` then has the reason.
   */
  readonly stream?: ResultStream
  /** Rows that a mutation wrote, if `Operation.write.tell` or a plugin (`scope.writes`) requests them. */
  readonly writes?: readonly CommittedWrite[]
}
