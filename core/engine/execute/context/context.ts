import type { Database } from '../../../contract/database.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import type { CommitEvent } from '../../../contract/engine-stages.ts'
import type { MutationHooksOf } from '../../../contract/mutation-hooks.ts'
import type { OwnedContribution } from '../../../contract/write-contribution.ts'
import type { PlanSettings } from '../../plan/context/settings.ts'

/** Settings that determine the plans and statements of operations, in addition to the schema. */
export interface EngineSettings extends PlanSettings {
  readonly dialect: Dialect
}

/** What the engine needs to run operations on one database, apart from the request. */
export interface ExecuteContext {
  readonly database: () => Database
  /**
   * Settings of plans and statements. Plans are cached by the identity of this object, so use the same one for all
   * requests.
   */
  readonly settings: EngineSettings
  /** Maximum length of a result's JSON text in bytes; Infinity: no limit. */
  readonly maxResultBytes: number
  /** Milliseconds that a stream waits until its reader takes the next batch; 0: no limit. */
  readonly streamIdleMs: number
  readonly onCommit: ((event: CommitEvent) => void) | null
  /** Returns the hooks of a mutation; `null`: no mutation has hooks. */
  readonly mutationHooks: MutationHooksOf | null
  /** What plugins add to mutations (`scope.writes`), such as an INSERT for each written row. */
  readonly contributions: readonly OwnedContribution[]
}
