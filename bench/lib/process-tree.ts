import { readFileSync } from 'node:fs'

/** Unit of `/proc/PID/stat`: hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Processes that this one has started and that live. */
export function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
}

/** Processor time of a process so far, in user and system mode. */
export function cpuSeconds(pid: number): number {
  // The name of the command, in brackets, may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
