import { type Exemplar, Histogram, type Metric } from '../../core/doors/plugin.ts'

/** Of what runs now; `null`: there is no trace, or it is not sampled. */
export type ReadTrace = () => Exemplar['labelSet'] | null

/** How long things took, in seconds. */
export class DurationHistogram extends Histogram {
  readonly #trace: ReadTrace

  /** @param trace of what is measured, when it ends */
  constructor(trace: ReadTrace) {
    // Who shows the metrics counts its own from the start.
    super({ on: true })
    this.#trace = trace
  }

  /** @param started what `performance.now()` said when it began */
  since(started: number): void {
    this.observe((performance.now() - started) / 1000, this.#trace())
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
