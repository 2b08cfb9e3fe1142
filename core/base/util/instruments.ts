/** A metric that a plugin declares in its manifest. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Description for `/metrics` and the documentation, in one sentence. */
  readonly help: string
  /**
   * Names of the labels. Use only labels with few different values, because each combination of values is a series of
   * its own.
   */
  readonly labels?: readonly string[]
  /** Upper bounds of a histogram's buckets, ascending. Default: bounds from 0.001 to 30, for durations in seconds. */
  readonly buckets?: readonly number[]
}

/** One value of a metric with its labels, at the moment of reading. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /**
   * Name of the sample if it has a suffix, as samples of a histogram do: `…_bucket`, `…_sum`, `…_count`. Default: the
   * name of the metric.
   */
  readonly metricName?: string
  /** One observed value with the trace of its request, for formats that support exemplars (OpenMetrics). */
  readonly exemplar?: Exemplar
}

/** An exemplar of OpenMetrics: an observed value and its trace. */
export interface Exemplar {
  /** Labels of the exemplar: `trace_id`, `span_id`; at most 128 characters together. */
  readonly labelSet: Readonly<Record<string, string>>
  readonly value: number
  /** Time of the observation, in seconds since 1970. */
  readonly timestamp: number
}

/** A counter, gauge or histogram with the values of all its label combinations, for a plugin that exports metrics. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: MetricDefinition['type']
  /** Returns the current values of all label combinations. */
  read(): readonly Sample[]
}

/**
 * The switch that all counters and histograms share. It is on if a plugin that exports metrics runs. While it is off,
 * `add` and `observe` do nothing, to save time.
 */
export interface CountingSwitch {
  on: boolean
}

/** A counter, which only increases. It counts only while a plugin exports metrics. */
export class Counter {
  readonly #counting: CountingSwitch
  #value = 0

  constructor(counting: CountingSwitch) {
    this.#counting = counting
  }

  /** Increases the counter. @param by must not be negative */
  add(by = 1): void {
    if (this.#counting.on) this.#value += by
  }

  read(_name: string, labels: Sample['labels']): readonly Sample[] {
    return [{ labels, value: this.#value }]
  }
}

/** Default bounds, in seconds. */
const SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A histogram, which counts observed values by bucket. It counts only while a plugin exports metrics. */
export class Histogram {
  readonly #counting: CountingSwitch
  readonly #bounds: readonly number[]
  /** Values of each bucket, not cumulative. The last bucket has the values above all bounds. */
  readonly #counts: number[]
  /** Latest exemplar of each bucket. Created with the first exemplar. */
  #exemplars: (Exemplar | undefined)[] | null = null
  #sum = 0

  constructor(counting: CountingSwitch, bounds: readonly number[] = SECONDS) {
    this.#counting = counting
    this.#bounds = bounds
    this.#counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0)
  }

  /** Adds a value. @param trace labels of an exemplar, which identify the trace; `null`: no exemplar */
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

  /** Returns samples of the cumulative buckets, the sum and the count, as in the text format of Prometheus. */
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

/**
 * Returns the counter or histogram for one combination of label values, in the order of the metric's `labels`. When the
 * values are known in advance, call it once and keep the result.
 */
export type SeriesOf<T> = (...values: readonly string[]) => T

export type GaugeReader = () => number | readonly Sample[]
