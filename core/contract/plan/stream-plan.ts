import type { StreamForm } from '../result-stream.ts'
import type { CallerReads, Rows } from './read-plan.ts'

/** The plan of a stream: rows of one source. It is immutable, and all requests of the same shape share it. */
export interface StreamPlan {
  readonly form: StreamForm
  readonly rows: Rows
  /** Values of the caller that the rules of the plan read. Absent: the rules read none. */
  readonly caller?: CallerReads
  /** Estimated size in bytes of the plan and of the statements prepared from it. */
  readonly weight: number
}
