import type { Dialect } from '../dialects/dialect.ts'
import type { Database } from '../front/database.ts'
import type { CommitEvent } from '../kernel/stages.ts'
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
  /** Of the JSON text of a read; Infinity = no bound. */
  readonly maxResultBytes: number
  readonly onCommit: ((event: CommitEvent) => void) | null
}
