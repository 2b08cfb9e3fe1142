import type { Database } from '../contract/database.ts'
import type { OwnedContribution } from '../contract/write-contribution.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { CommitEvent } from '../kernel/stages.ts'
import type { MomentsOf } from '../kernel/write-moments.ts'
import type { PlanSettings } from '../plan/settings.ts'

/** What statements depend on besides the schema. */
export interface EngineSettings extends PlanSettings {
  readonly dialect: Dialect
}

/** What running operations needs besides the request. */
export interface ExecuteContext {
  readonly database: () => Database
  /** One object for the life of the resolver: plans are cached under its identity. */
  readonly settings: EngineSettings
  /** Most bytes of the JSON text of a read; Infinity = no bound. */
  readonly maxResultBytes: number
  /** So long may a stream wait for whoever takes its rows; 0 = no bound. */
  readonly streamIdleMs: number
  readonly onCommit: ((event: CommitEvent) => void) | null
  /** `null`: nobody hooked any. */
  readonly moments: MomentsOf | null
  /** What plugins want of writes. */
  readonly contributions: readonly OwnedContribution[]
}
