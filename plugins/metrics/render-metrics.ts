import type { Metric, Sample } from '../../core/index.ts'

/** What the text of a metric is made from; also what one worker sends another. */
export interface MetricReading extends Omit<Metric, 'read'> {
  readonly values: readonly Sample[]
  /** How prom-client puts together what has the same labels. Nothing has: each worker's samples bear its number. */
  readonly aggregator: 'first'
}

/** @param worker the number of this process among those that serve; `null` = it is alone */
export function readMetrics(metrics: readonly Metric[], worker: number | null): readonly MetricReading[] {
  return metrics.map(({ name, help, type, read }) => ({
    name,
    help,
    type,
    aggregator: 'first',
    values: worker === null ? read() : read().map((sample) => withLabel(sample, 'worker', String(worker))),
  }))
}

/**
 * One text of the metrics of several workers. Nothing is added up: a counter that begins anew with a new process is one
 * series that does, which Prometheus knows how to read.
 * @param readings of `readMetrics`, one list for each process
 * @returns Prometheus text format 0.0.4
 */
export async function renderMetrics(readings: readonly (readonly MetricReading[])[]): Promise<string> {
  // 3 MiB that a service which nobody scrapes need not hold.
  const { AggregatorRegistry } = await import('prom-client')
  return AggregatorRegistry.aggregate([...readings]).metrics()
}

function withLabel(sample: Sample, label: string, value: string): Sample {
  return { ...sample, labels: { ...sample.labels, [label]: value } }
}
