import type { StreamForm } from '../result-stream.ts'
import type { CallerReads, Rows } from './read-plan.ts'

/**
 * The plan of a query whose list is streamed row by row. It is immutable; requests that differ only in values share it.
 */
export interface StreamPlan {
  readonly form: StreamForm
  readonly rows: Rows
  /** Claims and context values of the caller that the row rules in the plan read. Absent: none. */
  readonly caller?: CallerReads
  /** Estimated size in bytes of the plan and of the statements prepared from it. */
  readonly weight: number
}
