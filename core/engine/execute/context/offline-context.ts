import { SvcError } from '../../../base/errors/svc-error.ts'
import type { EngineSettings, ExecuteContext } from './context.ts'

/**
 * Creates an `ExecuteContext` without a database, with which operations can only be planned, for example at compile
 * time. Running an operation with it throws SERVICE_UNAVAILABLE.
 */
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
