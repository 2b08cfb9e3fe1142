import type { Metric } from '../../core/index.ts'

/** A counter or a gauge that has one value. @param read its value now */
export function singleMetric(type: 'counter' | 'gauge', name: string, help: string, read: () => number): Metric {
  return { name, help, type, read: () => [{ labels: {}, value: read() }] }
}

/** Adds one. */
export function countUp<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
