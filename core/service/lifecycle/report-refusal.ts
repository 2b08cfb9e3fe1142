import { SettingsRefused } from '../../base/errors/settings-refused.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Signals } from '../../contract/signals.ts'
import type { MaybePromise } from '../../contract/stages.ts'

type Run<A extends readonly unknown[], R> = (exchange: Exchange, operation: Operation, ...more: A) => R

/**
 * Logs roles and session variables that the database rejects. Clients see FORBIDDEN alone, and operators must fix a missing or ungranted
 * role. Operations without settings are not affected.
 */
export function reportRefusals<A extends readonly unknown[], R extends MaybePromise<unknown>>(
  run: Run<A, R>,
  signals: Signals,
): Run<A, R> {
  return (exchange, operation, ...more) => {
    const settings = operation.access?.settings
    if (settings === undefined || settings.length === 0) return run(exchange, operation, ...more)
    const report = (error: unknown): never => {
      if (error instanceof SettingsRefused) {
        const role = settings.find(({ name }) => name === 'role')?.value ?? null
        signals.emit({
          type: 'settings-refused',
          requestId: exchange.id,
          operation: operation.template.name,
          role,
          // Values are left out, because they may be personal data.
          variables: settings.filter(({ name }) => name !== 'role').map(({ name }) => name),
          reason: error.cause instanceof Error ? error.cause.message : String(error.cause),
        })
      }
      throw error
    }
    try {
      const running = run(exchange, operation, ...more)
      return isPromise(running) ? (running.catch(report) as R) : running
    } catch (error) {
      return report(error)
    }
  }
}
