import { Histogram, type Metric, type Sample } from '../../core/doors/plugin.ts'

/** Returns labels that identify the current trace, for an exemplar; `null`: no trace is sampled. */
export type ReadTrace = () => NonNullable<Sample['exemplar']>['labelSet'] | null

/** A histogram of durations in seconds, whose exemplars refer to the current trace. */
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

/**
 * Creates a histogram metric with one label. All label values are exported, even before their first measurement.
 * @param label name of the label
 * @param byValue histograms by label value
 */
export function histogramMetric(
  name: string,
  help: string,
  label: string,
  byValue: Readonly<Record<string, DurationHistogram>>,
): Metric {
  const read = () => Object.entries(byValue).flatMap(([value, one]) => one.read(name, { [label]: value }))
  return { name, help, type: 'histogram', read }
}
