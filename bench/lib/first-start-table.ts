import { formatNumber, numeric, renderTable } from './table.ts'

/** One command of a new user. */
export interface FirstStartRow {
  readonly command: string
  /** Time from spawn to exit, or to the first response. */
  readonly ms: number
  /** Processor time of all threads. */
  readonly processorMs: number
  readonly peakMiB: number
  /** Memory of a server some seconds after its first response; `null` = it has ended. */
  readonly laterMiB: number | null
}

/** @param rows medians */
export function renderFirstStart(rows: readonly FirstStartRow[]): string {
  const whole = (value: number | null): string => (value === null ? '–' : formatNumber(value, 0))
  return renderTable(
    [{ title: 'command' }, ...numeric('ms', 'processor ms', 'peak MiB', 'MiB later')],
    rows.map(({ command, ms, processorMs, peakMiB, laterMiB }) => [
      command,
      whole(ms),
      whole(processorMs),
      whole(peakMiB),
      whole(laterMiB),
    ]),
  )
}
