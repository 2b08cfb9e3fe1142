/** A metric as a manifest declares it. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** One sentence, for the answer of /metrics and the docs. */
  readonly help: string
  /** Names of its labels. Values must be few: each combination is a series of its own. */
  readonly labels?: readonly string[]
  /** Upper bounds, ascending. Default: seconds, from 1 ms to 30 s. Only for a histogram. */
  readonly buckets?: readonly number[]
}

/** One line of the answer: a value under its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Where it is not the metric's own name: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string
  /** One of the values that it counts, for formats that show one. */
  readonly exemplar?: Exemplar
}

/** A value that was observed, and the trace that it was observed in, under the names that OpenMetrics gives its members. */
export interface Exemplar {
  /** `trace_id`, `span_id`: together no more than 128 characters. */
  readonly labelSet: Readonly<Record<string, string>>
  readonly value: number
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** A metric family. What it counts lies in plain numbers; they become samples when somebody asks. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: MetricDefinition['type']
  /** @returns what it shows now */
  read(): readonly Sample[]
}

/** Does anybody show what is counted? Until then observing is one look at this. */
export interface CountingSwitch {
  on: boolean
}

/** Counts up. */
export class Counter {
  readonly #counting: CountingSwitch
  #value = 0

  constructor(counting: CountingSwitch) {
    this.#counting = counting
  }

  /** @param by not negative */
  add(by = 1): void {
    if (this.#counting.on) this.#value += by
  }

  read(_name: string, labels: Sample['labels']): readonly Sample[] {
    return [{ labels, value: this.#value }]
  }
}

/** Seconds: from what a lookup takes to the longest deadline that is usual. */
const SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** How many values fell into which bucket. Two numbers change with each. */
export class Histogram {
  readonly #counting: CountingSwitch
  readonly #bounds: readonly number[]
  /** By bucket, not added up as the format wants them; the last one is what is above all. */
  readonly #counts: number[]
  /** By bucket, the last one; made when the first comes. */
  #exemplars: (Exemplar | undefined)[] | null = null
  #sum = 0

  constructor(counting: CountingSwitch, bounds: readonly number[] = SECONDS) {
    this.#counting = counting
    this.#bounds = bounds
    this.#counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0)
  }

  /** @param trace labels of an exemplar: the trace in which the value was observed; `null` = it shows none */
  observe(value: number, trace: Exemplar['labelSet'] | null = null): void {
    if (!this.#counting.on) return
    this.#sum += value
    let bucket = 0
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++
    this.#counts[bucket]!++
    if (trace === null) return
    this.#exemplars ??= []
    this.#exemplars[bucket] = { labelSet: trace, value, timestamp: Date.now() / 1000 }
  }

  /** @returns its buckets with what lies below them, as the text format wants them, its sum and its count */
  read(name: string, labels: Sample['labels'] = {}): readonly Sample[] {
    let below = 0
    const buckets = this.#counts.map((count, bucket) => {
      below += count
      const sample = {
        metricName: `${name}_bucket`,
        labels: { le: this.#bounds[bucket] ?? '+Inf', ...labels },
        value: below,
      }
      const exemplar = this.#exemplars?.[bucket]
      return exemplar === undefined ? sample : { ...sample, exemplar }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: below },
    ]
  }
}
