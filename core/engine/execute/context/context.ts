import type { Database } from '../../../contract/database.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import type { CommitEvent } from '../../../contract/engine-stages.ts'
import type { MutationHooksOf } from '../../../contract/mutation-hooks.ts'
import type { OwnedContribution } from '../../../contract/write-contribution.ts'
import type { PlanSettings } from '../../plan/context/settings.ts'

/** Settings that statements depend on, in addition to the schema. */
export interface EngineSettings extends PlanSettings {
  readonly dialect: Dialect
}

/** Dependencies of running operations, in addition to the request. */
export interface ExecuteContext {
  readonly database: () => Database
  /**
   * Settings of the engine. The object must stay the same for the life of the resolver, because plans are cached by its
   * identity.
   */
  readonly settings: EngineSettings
  /** Largest JSON text of a read in bytes; Infinity: no limit. */
  readonly maxResultBytes: number
  /** Milliseconds that a stream waits for its consumer to take the next batch; 0: no limit. */
  readonly streamIdleMs: number
  readonly onCommit: ((event: CommitEvent) => void) | null
  /** Hooks of mutations; `null`: there are none. */
  readonly mutationHooks: MutationHooksOf | null
  /** Contributions of plugins (`scope.writes`). */
  readonly contributions: readonly OwnedContribution[]
}
