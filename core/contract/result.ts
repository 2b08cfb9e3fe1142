import type { SvcError } from '../errors/svc-error.ts'
import type { LentText } from '../util/lent-text.ts'
import type { WrittenList } from '../util/written-list.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { ResultStream } from './result-stream.ts'

/**
 * What the resolve stage gives back. `data` is JSON text that goes to the socket as it is: nobody parses it to write it
 * again. Fronts add their wrapper (`{"data":…}`), render errors in their own shape, and set the status.
 */
export interface Result {
  /** JSON text of the object that holds the roots; `null` when a non-null root failed or nothing ran. */
  readonly data: string | null
  /**
   * `data` where it is long. A front that only passes it on takes this: `data` is then made into a string only when
   * somebody asks for it. Who gives a result to more than one request, or keeps it, calls its `keep()`.
   */
  readonly text?: LentText
  readonly errors: readonly SvcError[] | null
  /** A list that stands in `data`, by characters, if its writer noted it. Absent beside `text`, which has its own. */
  readonly list?: WrittenList
  /**
   * The answer of an operation that asked for a stream (`Operation.form`); `data` is null then. Absent where the
   * operation failed before its first row: `errors` says why.
   */
  readonly stream?: ResultStream
  /** The rows that a mutation wrote, where the front asks for them (`Operation.write.tell`) or a plugin is told. */
  readonly writes?: readonly CommittedWrite[]
}
