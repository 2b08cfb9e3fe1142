import { SvcError } from '../errors/svc-error.ts'
import type { EngineSettings, ExecuteContext } from './context.ts'

/** For who plans, and runs nothing: without a database. */
export function offlineContext(settings: EngineSettings): ExecuteContext {
  return {
    settings,
    database() {
      throw new SvcError('SERVICE_UNAVAILABLE', 'There is no database here: operations are planned, and nothing runs.')
    },
    maxResultBytes: Number.POSITIVE_INFINITY,
    streamIdleMs: 0,
    onCommit: null,
    moments: null,
    contributions: [],
  }
}
