import type { Database } from '../front/database.ts'
import type { CommitEvent } from '../kernel/stages.ts'
import type { PlanSettings } from '../plan/settings.ts'

/** What running operations needs besides the request. */
export interface ExecuteContext {
  readonly database: () => Database
  /** One object for the life of the resolver: plans are cached under its identity. */
  readonly settings: PlanSettings
  /** Of the JSON text of a read; Infinity = no bound. */
  readonly maxResultBytes: number
  readonly onCommit: ((event: CommitEvent) => void) | null
}
