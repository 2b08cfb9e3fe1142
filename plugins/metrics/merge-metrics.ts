import { AggregatorRegistry } from 'prom-client'

/**
 * One text of the metrics of several workers. Each has its label `worker`, so that nothing is added up: a counter that
 * begins anew with a new process is one series that does, which Prometheus knows how to read.
 * @param answers of `getMetricsAsJSON`, one for each worker
 */
export function mergeMetrics(answers: readonly unknown[]): Promise<string> {
  return AggregatorRegistry.aggregate(answers as object[]).metrics()
}
