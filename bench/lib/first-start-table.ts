import { formatNumber, numeric, renderTable } from './table.ts'

/** One command of somebody who begins. */
export interface FirstStartRow {
  readonly command: string
  /** From spawn to exit, or to the first answer. */
  readonly ms: number
  /** Of all threads. */
  readonly processorMs: number
  readonly peakMiB: number
  /** Of a server, some seconds after its first answer; `null` = it has ended. */
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
