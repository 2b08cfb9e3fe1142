import { SvcError } from '../base/errors/svc-error.ts'
import type { Log } from '../contract/scope.ts'
import type { Signal, Signals } from '../contract/signals.ts'

/** A problem that the plugin, or the kernel around it, reported by a signal or a log line. */
export type Reported = Signal | { readonly type: 'log'; readonly level: 'warn' | 'error'; readonly message: string }

/** The problems reported while a plugin is under test. */
export interface Reports {
  /** All signals so far, oldest first. */
  readonly signals: readonly Signal[]
  readonly log: Log
  /** Returns the reported problems and clears them. Call this when the test expects problems. */
  take(): readonly Reported[]
  /** Fails the test if problems were reported. @throws Error when there are problems that `take` has not returned */
  check(): void
}

const WRONG: readonly Signal['type'][] = [
  'request-failed',
  'reload-failed',
  'after-commit-failed',
  'database-down',
  'prepared-statements-off',
  'warning',
]

export function collectReports(signals: Signals): Reports {
  const seen: Signal[] = []
  let reported: Reported[] = []
  signals.subscribe((signal) => {
    seen.push(signal)
    if (WRONG.includes(signal.type)) reported.push(signal)
  })
  const report = (level: 'warn' | 'error') => (_fields: object, message: string) => {
    reported.push({ type: 'log', level, message })
  }
  return {
    signals: seen,
    log: { debug() {}, info() {}, warn: report('warn'), error: report('error') },
    take() {
      const taken = reported
      reported = []
      return taken
    },
    check() {
      if (reported.length === 0) return
      const lines = reported.map((one) => `  - ${describe(one)}`)
      throw new Error(`The plugin reported unexpected problems:\n${lines.join('\n')}`)
    },
  }
}

function describe(one: Reported): string {
  if (one.type === 'log') return `${one.level}: ${one.message}`
  if ('error' in one)
    return `${one.type}: ${one.error instanceof SvcError ? `${one.error.code} ` : ''}${String(one.error)}`
  return 'message' in one ? `${one.type}: ${one.message}` : one.type
}
