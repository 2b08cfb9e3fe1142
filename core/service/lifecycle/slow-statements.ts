import type { Exchange } from '../../contract/exchange.ts'
import type { Observer } from '../../contract/observer.ts'
import type { Operation } from '../../contract/operation.ts'
import { rootName } from '../../contract/root-name.ts'
import type { Signals } from '../../contract/signals.ts'

/** Maximum length of an operation name, which comes from clients. */
const LONGEST_NAME = 128
/** Maximum length of a logged statement. `svc explain` shows the whole text. */
const LONGEST_TEXT = 4096

const MOST_ROOTS = 10

/**
 * Creates the observer that emits the signal `slow-statement` for each statement at or above a threshold, with its
 * operation. The SQL has placeholders instead of values.
 * @param thresholdMs threshold in milliseconds (`database.slow_statement_ms`)
 */
export function createSlowStatements(signals: Signals, thresholdMs: number): Observer {
  const running = new WeakMap<object, Operation>()

  return {
    engine(ctx, operation) {
      running.set(ctx, operation)
    },
    statement({ database, exchange, statement }, next) {
      // The statements of a transaction are observed one by one.
      if (statement === null) return
      const started = performance.now()
      const end = (failed: boolean) => (): void => {
        const ms = performance.now() - started
        if (ms < thresholdMs) return
        const { text } = statement
        const of = describe(exchange as Exchange | null, exchange === null ? undefined : running.get(exchange))
        signals.emit({
          type: 'slow-statement',
          ...of,
          database: database.name,
          ms: Math.round(ms * 100) / 100,
          failed,
          planning: database.planning?.(statement) ?? null,
          statement: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text,
        })
      }
      return next().then(end(false), end(true))
    },
  }
}

/** Describes the operation of a statement. It runs for slow statements alone. */
function describe(exchange: Exchange | null, operation: Operation | undefined) {
  if (exchange === null || operation === undefined) return { requestId: null, operation: null, roots: [] }
  const { name, roots } = operation.template
  return {
    requestId: exchange.id,
    operation: name === null ? null : name.slice(0, LONGEST_NAME),
    roots: [...new Set(roots.map(rootName))].slice(0, MOST_ROOTS),
  }
}
