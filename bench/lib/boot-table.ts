import { growthTable } from './growth-tables.ts'
import { formatNumber, numeric } from './table.ts'

/** Start of the compiled example with one list of plugins. Medians. */
export interface BootRow {
  /** Preset, with the plugins that are left out or added: `minimal − jwt, scopes`. */
  readonly list: string
  readonly plugins: number
  /** From spawn to the first response of `/health/live`. */
  readonly startMs: number
  /** Shortest of these times, the nearest to a machine without other load. */
  readonly leastMs: number
  /** Processor time of all threads until then. */
  readonly processorMs: number
  /** From spawn to the response of the first query, sent right after. */
  readonly queryMs: number
  /** Resident memory half a second after the start, before the query. */
  readonly mib: number
}

export const BOOT = growthTable<BootRow>(
  [{ title: 'plugins' }, ...numeric('count', 'start ms', 'least ms', 'processor ms', 'first query ms', 'MiB')],
  ({ list, plugins, startMs, leastMs, processorMs, queryMs, mib }) => [
    list,
    formatNumber(plugins),
    formatNumber(startMs),
    formatNumber(leastMs),
    formatNumber(processorMs),
    formatNumber(queryMs),
    formatNumber(mib),
  ],
)
