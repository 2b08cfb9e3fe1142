import type { Config } from '../contract/config.ts'
import type { Observer, OwnedObserver } from '../kernel/observer.ts'
import type { Kernel } from '../kernel/running-kernel.ts'
import { createAccessLog } from './http/access-log.ts'
import { createServerTiming } from './http/server-timing.ts'
import { holdGenerations } from './lifecycle/hold-generation.ts'
import { createSlowStatements } from './lifecycle/slow-statements.ts'
import type { Signals } from './signals/signals.ts'

/**
 * Returns the observers of a service, the outermost first; a service without observers has no cost for them. Observers
 * that write log lines are inside those of plugins, so that a line contains the trace id.
 */
export function observersOf(
  kernel: Kernel,
  { server, database, debug }: Pick<Config, 'server' | 'database' | 'debug'>,
  signals: Signals,
): readonly OwnedObserver[] {
  const { slow_statement_ms: slowMs } = database
  return [
    ...own(kernel.leases === null ? null : holdGenerations(kernel.leases)),
    ...kernel.observers,
    ...own(
      server.access_log ? createAccessLog(signals) : null,
      slowMs > 0 ? createSlowStatements(signals, slowMs) : null,
      debug.enabled && debug.server_timing ? createServerTiming() : null,
    ),
  ]
}

function own(...observers: readonly (Observer | null)[]): readonly OwnedObserver[] {
  return observers.filter((observer) => observer !== null).map((observer) => ({ plugin: 'kernel', observer }))
}
