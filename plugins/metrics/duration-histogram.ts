import { Histogram, type Metric, type Sample } from '../../core/doors/plugin.ts'

/** Returns the labels of the current trace; `null` without a sampled trace. */
export type ReadTrace = () => NonNullable<Sample['exemplar']>['labelSet'] | null

/** A histogram of durations in seconds. */
export class DurationHistogram extends Histogram {
  readonly #trace: ReadTrace

  /** @param trace reads the trace at the end of a measured duration */
  constructor(trace: ReadTrace) {
    // This plugin exposes metrics, so that its own are always on.
    super({ on: true })
    this.#trace = trace
  }

  /** @param started `performance.now()` at the start */
  since(started: number): void {
    this.observe((performance.now() - started) / 1000, this.#trace())
  }
}

/** Creates a histogram for each value of a label. All values are exported, even before the first measurement. */
export function histogramMetric(
  name: string,
  help: string,
  label: string,
  byValue: Readonly<Record<string, DurationHistogram>>,
): Metric {
  const read = () => Object.entries(byValue).flatMap(([value, one]) => one.read(name, { [label]: value }))
  return { name, help, type: 'histogram', read }
}
