import { SvcError } from '../base/errors/svc-error.ts'
import type { Executor } from '../contract/engine.ts'
import { POSTGRES } from '../dialects/postgres/dialect.ts'
import { answerKey } from '../engine/execute/answer-key.ts'
import type { EngineSettings } from '../engine/execute/context/context.ts'
import { offlineContext } from '../engine/execute/context/offline-context.ts'
import { planAhead } from '../engine/execute/plan-ahead.ts'
import { readSources } from '../engine/execute/read/read-sources.ts'
import { createExecutor } from '../engine/execute/resolve.ts'

// The engine of a plugin that is tested without a database.

/** Settings without a database. The sources of a query depend on schema and plan only. */
const SETTINGS: EngineSettings = { maxRows: 0, dialect: POSTGRES }
const OFFLINE = offlineContext(SETTINGS)

/** The part of the engine that works without a database: it plans operations with the PostgreSQL dialect. */
export const OFFLINE_EXECUTOR: Pick<Executor, 'sourcesOf' | 'answerKey' | 'plan'> = {
  sourcesOf: (exchange, operation) => readSources(exchange, operation, SETTINGS),
  answerKey: (exchange, operation) => answerKey(exchange, operation, SETTINGS),
  plan: (exchange, operation) => planAhead(OFFLINE, exchange, operation),
}

export const explainNothing: Executor['explain'] = async () => {
  throw new SvcError('SERVICE_UNAVAILABLE', 'The plugin under test has no engine: give `explain`.')
}

/**
 * Runs an operation in a test without a database. If plugins compute all its root fields, they do so; any other
 * operation returns `{}`.
 */
export const resolveCalls: Executor['resolve'] = (exchange, operation) => {
  const { kind, roots } = operation.template
  const isKnown = roots.length > 0 && roots.every((root) => root.kind === 'literal' || root.kind === 'typename')
  return isKnown && kind !== 'subscription' ? CALLS_ONLY(exchange, operation) : { data: '{}', errors: null }
}

const { resolve: CALLS_ONLY } = createExecutor({
  database() {
    throw new SvcError('SERVICE_UNAVAILABLE', 'The plugin under test has no database: give `resolve`.')
  },
  settings: { maxRows: 0 },
})
