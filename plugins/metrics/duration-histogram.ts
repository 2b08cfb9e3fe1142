import type { Metric, Sample } from './metric.ts'

/** Seconds: from what a lookup takes to the longest deadline that is usual. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** How many durations fell into which bucket. Two numbers change with each. */
export class DurationHistogram {
  /** By bucket, not added up as the format wants them; the last one is what is longer than all. */
  readonly #counts: number[] = [...BUCKETS, Number.POSITIVE_INFINITY].map(() => 0)
  #sum = 0

  /** @param started what `performance.now()` said when it began */
  observe(started: number): void {
    const seconds = (performance.now() - started) / 1000
    this.#sum += seconds
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++
    this.#counts[bucket]!++
  }

  /** @returns its buckets with what lies below them, as the text format wants them, its sum and its count */
  read(name: string, labels: Sample['labels'] = {}): readonly Sample[] {
    let below = 0
    const buckets = this.#counts.map((count, bucket) => {
      below += count
      return { metricName: `${name}_bucket`, labels: { le: BUCKETS[bucket] ?? '+Inf', ...labels }, value: below }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: below },
    ]
  }
}

/** A histogram for each value of a label; all of them are shown from the start. */
export function histogramMetric(
  name: string,
  help: string,
  label: string,
  byValue: Readonly<Record<string, DurationHistogram>>,
): Metric {
  const read = () => Object.entries(byValue).flatMap(([value, one]) => one.read(name, { [label]: value }))
  return { name, help, type: 'histogram', read }
}
