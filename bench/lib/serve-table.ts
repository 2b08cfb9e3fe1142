import { growthTable } from './growth-tables.ts'
import { formatNumber, numeric } from './table.ts'

/** One command on an existing database with a number of tables. Medians. */
export interface ServeRow {
  readonly command: string
  readonly tables: number
  /** From spawn until the service answers, or until the command ends. */
  readonly ms: number
  /** Processor time of all threads until then. */
  readonly processorMs: number
  readonly peakMiB: number
  /** First query of a row of one table, after the start; `null`: the command serves nothing. */
  readonly queryMs: number | null
}

export const SERVE = growthTable<ServeRow>(
  [{ title: 'command' }, ...numeric('tables', 's', 'processor s', 'peak MiB', 'first query ms')],
  ({ command, tables, ms, processorMs, peakMiB, queryMs }) => [
    command,
    formatNumber(tables),
    formatNumber(ms / 1000, 1),
    formatNumber(processorMs / 1000, 1),
    formatNumber(peakMiB),
    queryMs === null ? '' : formatNumber(queryMs),
  ],
)
