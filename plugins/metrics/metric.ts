import type { Metric } from '../../core/doors/plugin.ts'

/** A counter or a gauge that has one value. @param read its value now */
export function singleMetric(type: 'counter' | 'gauge', name: string, help: string, read: () => number): Metric {
  return { name, help, type, read: () => [{ labels: {}, value: read() }] }
}

/** Series of one metric that are told apart, where a label is not from a list of ours: codes of authors' errors. */
const MOST_SERIES = 200
export const OTHER = '(other)'

/** Adds one. What comes after the first two hundred keys is counted together. */
export function countUp<K>(counts: Map<K | typeof OTHER, number>, key: K): void {
  const counted = counts.has(key) || counts.size < MOST_SERIES ? key : OTHER
  counts.set(counted, (counts.get(counted) ?? 0) + 1)
}
