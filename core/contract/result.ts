import type { SvcError } from '../base/errors/svc-error.ts'
import type { LentText } from '../base/util/lent-text.ts'
import type { WrittenList } from '../base/util/written-list.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { ResultStream } from './result-stream.ts'

/**
 * Result of an operation. `data` is JSON text that fronts send without parsing it. Fronts add their wrapper (`{"data":…}`), render errors
 * in their format, and set the status.
 */
export interface Result {
  /** JSON text of an object with the root fields; `null` when a non-null root field failed, or nothing ran. */
  readonly data: string | null
  /**
   * `data` as lent bytes, when it is long. A front that sends the text unchanged should use this, because reading `data` creates the
   * string. Call `keep()` before you store the result or give it to a second request
   * (docs/explain/architecture.md#who-owns-the-bytes-of-a-large-answer).
   */
  readonly text?: LentText
  readonly errors: readonly SvcError[] | null
  /** Positions of a list inside `data`, in characters, when they are known. Absent beside `text`, which has its own. */
  readonly list?: WrittenList
  /**
   * Rows of an operation with `Operation.form`; `data` is then null. Absent when the operation failed before its first row; `errors` has
   * the reason.
   */
  readonly stream?: ResultStream
  /** Rows that a mutation wrote, when the front (`Operation.write.tell`) or a plugin requests them. */
  readonly writes?: readonly CommittedWrite[]
}
