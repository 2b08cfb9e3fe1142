import { SvcError } from '../base/errors/svc-error.ts'
import type { Log } from '../contract/scope.ts'
import type { Signal, Signals } from '../contract/signals.ts'

/** Something that the plugin, or the kernel about it, reported as wrong. */
export type Reported = Signal | { readonly type: 'log'; readonly level: 'warn' | 'error'; readonly message: string }

/** What is reported as wrong while a plugin is under test. */
export interface Reports {
  /** Everything that was signalled, oldest first. */
  readonly signals: readonly Signal[]
  readonly log: Log
  /** What was reported so far, which is expected from now on. */
  take(): readonly Reported[]
  /** @throws Error when a report was not taken by the test */
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
      throw new Error(`The plugin reported what the test did not expect:\n${lines.join('\n')}`)
    },
  }
}

function describe(one: Reported): string {
  if (one.type === 'log') return `${one.level}: ${one.message}`
  if ('error' in one)
    return `${one.type}: ${one.error instanceof SvcError ? `${one.error.code} ` : ''}${String(one.error)}`
  return 'message' in one ? `${one.type}: ${one.message}` : one.type
}
