/** One line of the answer: a value under its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Where it is not the metric's own name: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string
}

/** A metric family. What it counts lies in plain numbers; they become samples when somebody asks. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** @returns what it shows now */
  read(): readonly Sample[]
}

/** A counter or a gauge that has one value. @param read its value now */
export function singleMetric(type: 'counter' | 'gauge', name: string, help: string, read: () => number): Metric {
  return { name, help, type, read: () => [{ labels: {}, value: read() }] }
}

/** Adds one. */
export function countUp<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
