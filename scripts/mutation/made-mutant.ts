/** A small change to a source, as the tool has made it. */
export interface MadeMutant {
  /** By which the instrumented sources switch it on. */
  readonly id: string
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly mutator: string
  /** The code that it stands for, and what stands there instead. */
  readonly original: string
  readonly replacement: string
  /** What it is known by while the lines around it change: the same text of a file is counted. */
  readonly key: string
}

/** @returns one line for a reader: long code is shortened in its middle */
export function shorten(code: string, length = 90): string {
  const line = code.replace(/\s+/g, ' ')
  if (line.length <= length) return line
  return `${line.slice(0, length * 0.6)} … ${line.slice(-length * 0.3)}`
}
