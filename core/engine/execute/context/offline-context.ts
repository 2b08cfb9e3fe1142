import { SvcError } from '../../../base/errors/svc-error.ts'
import type { EngineSettings, ExecuteContext } from './context.ts'

/** Creates a context without a database, for planning operations that do not run. */
export function offlineContext(settings: EngineSettings): ExecuteContext {
  return {
    settings,
    database() {
      throw new SvcError('SERVICE_UNAVAILABLE', 'There is no database here: operations are planned, and nothing runs.')
    },
    maxResultBytes: Number.POSITIVE_INFINITY,
    streamIdleMs: 0,
    onCommit: null,
    mutationHooks: null,
    contributions: [],
  }
}
