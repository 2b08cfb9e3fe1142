import { SvcError } from '../base/errors/svc-error.ts'
import type { Log } from '../contract/scope.ts'
import type { Signal, Signals } from '../contract/signals.ts'

/** A problem that was reported during a test: a signal such as `request-failed`, or a warning or error in the log. */
export type Reported = Signal | { readonly type: 'log'; readonly level: 'warn' | 'error'; readonly message: string }

/** Collects the signals and log lines of a plugin under test, so that the test fails on unexpected problems. */
export interface Reports {
  /** All signals that were emitted so far, oldest first. */
  readonly signals: readonly Signal[]
  readonly log: Log
  /** Returns the reported problems and clears them. Call it in a test that expects problems. */
  take(): readonly Reported[]
  /** Fails the test if there are reported problems that {@link take} has not returned. @throws Error that lists them */
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
