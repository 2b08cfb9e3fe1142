import { type Metric, type Result, type Scope, SvcError } from '../../core/doors/plugin.ts'
import { DurationHistogram, histogramMetric, type ReadTrace } from './duration-histogram.ts'
import { countUp, singleMetric } from './metric.ts'
import { observeOutcome } from './observe-outcome.ts'

/** Codes of errors that the database causes, and not the client. */
const DATABASE_CODES: ReadonlySet<string> = new Set([
  'DATABASE_ERROR',
  'TRANSACTION_FAILED',
  'SERVICE_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
  'TIMEOUT',
])

/**
 * Creates metrics of operations from all APIs: number and duration by kind, and errors by code.
 * @param trace returns the labels of the current trace, for exemplars
 */
export function countOperations(scope: Scope, trace: ReadTrace): readonly Metric[] {
  const counts = { query: 0, mutation: 0, subscription: 0 }
  const durations = {
    query: new DurationHistogram(trace),
    mutation: new DurationHistogram(trace),
    subscription: new DurationHistogram(trace),
  }
  const errors = new Map<string, number>()
  const databaseErrors = new Map<string, number>()
  let multiRoot = 0

  function countFailure(code: string): void {
    if (DATABASE_CODES.has(code)) countUp(databaseErrors, code)
  }

  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'graphql-error') countUp(errors, signal.code)
  })
  scope.onClose(end)
  scope.on(
    'resolve',
    (_ctx, { template: { kind, roots } }, next) => {
      const started = performance.now()
      counts[kind]++
      if (roots.length > 1) multiRoot++
      const succeeded = ({ errors: failures }: Result): void => {
        durations[kind].since(started)
        if (failures !== null) for (const { code } of failures) countFailure(code)
      }
      const failed = (error: unknown): void => {
        durations[kind].since(started)
        if (error instanceof SvcError) countFailure(error.code)
      }
      return observeOutcome(next, succeeded, failed)
    },
    { position: 'measure' },
  )

  return [
    singleMetric('counter', 'svc_graphql_queries_total', 'Queries that were run.', () => counts.query),
    singleMetric('counter', 'svc_graphql_mutations_total', 'Mutations that were run.', () => counts.mutation),
    singleMetric('counter', 'svc_multi_root_queries_total', 'Operations of several roots.', () => multiRoot),
    {
      name: 'svc_graphql_errors_total',
      help: 'Entries of "errors" in GraphQL answers.',
      type: 'counter',
      read: () => [...errors].map(([code, value]) => ({ labels: { code }, value })),
    },
    {
      name: 'svc_db_errors_total',
      help: 'Operations, or roots of them, that failed because of the database.',
      type: 'counter',
      read: () => [...databaseErrors].map(([code, value]) => ({ labels: { code }, value })),
    },
    histogramMetric(
      'svc_graphql_query_duration_seconds',
      'Planning and running an operation.',
      'operation_type',
      durations,
    ),
  ]
}
