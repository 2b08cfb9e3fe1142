import type { Metric } from '../../core/doors/plugin.ts'

/** Creates a counter or gauge without labels. @param read returns the current value at each scrape */
export function singleMetric(type: 'counter' | 'gauge', name: string, help: string, read: () => number): Metric {
  return { name, help, type, read: () => [{ labels: {}, value: read() }] }
}

/** Most series of a metric whose label has open values, such as codes of authors' errors. */
const MOST_SERIES = 200
export const OTHER = '(other)'

/** Increments the count of a label value. After `MOST_SERIES` different values, new ones share one count. */
export function countUp<K>(counts: Map<K | typeof OTHER, number>, key: K): void {
  const counted = counts.has(key) || counts.size < MOST_SERIES ? key : OTHER
  counts.set(counted, (counts.get(counted) ?? 0) + 1)
}
