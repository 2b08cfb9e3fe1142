import type { StreamForm } from '../result-stream.ts'
import type { CallerReads, Rows } from './read-plan.ts'

/** The plan of a stream: rows of one source. It is immutable, and all requests of the same shape share it. */
export interface StreamPlan {
  readonly form: StreamForm
  readonly rows: Rows
  /** The values of the caller that its rules read; absent when they read none. */
  readonly caller?: CallerReads
  /** Estimated size in bytes of the plan and of the statements prepared from it. */
  readonly weight: number
}
