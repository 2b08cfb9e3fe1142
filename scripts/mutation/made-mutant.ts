/** A small change to a source, as made by the tool. */
export interface MadeMutant {
  /** Id by which the instrumented sources enable it. */
  readonly id: string
  readonly file: string
  /** Line, from 1. */
  readonly line: number
  readonly mutator: string
  /** The replaced code, and its replacement. */
  readonly original: string
  readonly replacement: string
  /** Key that stays the same when the lines around it change: it counts equal texts of a file. */
  readonly key: string
}

/** @returns one line for a reader: long code is shortened in its middle */
export function shorten(code: string, length = 90): string {
  const line = code.replace(/\s+/g, ' ')
  if (line.length <= length) return line
  return `${line.slice(0, length * 0.6)} … ${line.slice(-length * 0.3)}`
}
