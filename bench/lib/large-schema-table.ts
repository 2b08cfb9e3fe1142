import { growthTable } from './growth-tables.ts'
import { formatNumber, numeric } from './table.ts'

export interface LargeSchemaRow {
  readonly step: string
  /** Time from spawn to exit, to the first response, or from the request to its last byte. */
  readonly ms: number
  /** Processor time of the server, milliseconds; `null`: not measured. */
  readonly cpuMs: number | null
  readonly bytes: number | null
}

export const LARGE_SCHEMA = growthTable<LargeSchemaRow>(
  [{ title: '371 types' }, ...numeric('ms', 'processor ms', 'answer MiB')],
  ({ step, ms, cpuMs, bytes }) => [
    step,
    formatNumber(ms, 0),
    cpuMs === null ? '' : formatNumber(cpuMs, 0),
    bytes === null ? '' : formatNumber(bytes / 2 ** 20, 1),
  ],
)
