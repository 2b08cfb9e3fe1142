import { Counter, Histogram, type Registry } from 'prom-client'
import type { Scope } from '../../core/index.ts'
import { DURATION_BUCKETS } from './duration-buckets.ts'
import { observeOutcome } from './observe-outcome.ts'

/** Operations that were authorized, whatever front asked for them, and the errors that GraphQL clients were told. */
export function countOperations(scope: Scope, registry: Registry): void {
  const registers = [registry]
  const counts = { query: 0, mutation: 0, subscription: 0 }
  const counter = (kind: 'query' | 'mutation', name: string, help: string) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(counts[kind])
      },
    })
  counter('query', 'svc_graphql_queries_total', 'Queries that were run.')
  counter('mutation', 'svc_graphql_mutations_total', 'Mutations that were run.')
  const errors = new Counter({
    name: 'svc_graphql_errors_total',
    help: 'Entries of "errors" in GraphQL answers.',
    labelNames: ['code'],
    registers,
  })
  const durations = new Histogram({
    name: 'svc_graphql_query_duration_seconds',
    help: 'Planning and running an operation.',
    labelNames: ['operation_type'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const byKind = {
    query: durations.labels('query'),
    mutation: durations.labels('mutation'),
    subscription: durations.labels('subscription'),
  }

  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'graphql-error') errors.inc({ code: signal.code })
  })
  scope.onClose(end)
  scope.on('resolve', (_ctx, { template: { kind } }, next) => {
    const started = performance.now()
    counts[kind]++
    const end = (): void => byKind[kind].observe((performance.now() - started) / 1000)
    return observeOutcome(next, end, end)
  })
}
