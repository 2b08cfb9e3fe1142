import { growthTable } from './growth-tables.ts'
import { formatNumber, numeric } from './table.ts'

export interface TracingRow {
  readonly workload: string
  /** Share of sampled requests. */
  readonly sampled: string
  readonly rps: number
  /** Processor time of the server per request, in microseconds. */
  readonly cpuUs: number
  /** Relative to the server without the plugin: the median of the slices, each against its neighbour. */
  readonly ratio: number
  readonly cpuRatio: number
  readonly failed: number
}

export const TRACING = growthTable<TracingRow>(
  [
    { title: 'workload' },
    { title: 'sampled' },
    ...numeric('requests/s', 'to without', 'CPU µs per request', 'to without', 'failed'),
  ],
  (row) => [
    row.workload,
    row.sampled,
    formatNumber(row.rps),
    row.ratio.toFixed(3),
    row.cpuUs.toFixed(1),
    row.cpuRatio.toFixed(3),
    formatNumber(row.failed),
  ],
)
