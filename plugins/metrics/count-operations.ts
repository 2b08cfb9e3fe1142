import type { Metric, Scope } from '../../core/index.ts'
import { DurationHistogram, histogramMetric } from './duration-histogram.ts'
import { countUp, singleMetric } from './metric.ts'
import { observeOutcome } from './observe-outcome.ts'

/** Operations that were authorized, whatever front asked for them, and the errors that GraphQL clients were told. */
export function countOperations(scope: Scope): readonly Metric[] {
  const counts = { query: 0, mutation: 0, subscription: 0 }
  const durations = {
    query: new DurationHistogram(),
    mutation: new DurationHistogram(),
    subscription: new DurationHistogram(),
  }
  const errors = new Map<string, number>()

  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'graphql-error') countUp(errors, signal.code)
  })
  scope.onClose(end)
  scope.on(
    'resolve',
    (_ctx, { template: { kind } }, next) => {
      const started = performance.now()
      counts[kind]++
      const end = (): void => durations[kind].since(started)
      return observeOutcome(next, end, end)
    },
    { position: 'measure' },
  )

  return [
    singleMetric('counter', 'svc_graphql_queries_total', 'Queries that were run.', () => counts.query),
    singleMetric('counter', 'svc_graphql_mutations_total', 'Mutations that were run.', () => counts.mutation),
    {
      name: 'svc_graphql_errors_total',
      help: 'Entries of "errors" in GraphQL answers.',
      type: 'counter',
      read: () => [...errors].map(([code, value]) => ({ labels: { code }, value })),
    },
    histogramMetric(
      'svc_graphql_query_duration_seconds',
      'Planning and running an operation.',
      'operation_type',
      durations,
    ),
  ]
}
