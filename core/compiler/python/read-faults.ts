/** Errors of a Python schema module, as its package reports them. */
export interface FaultReport {
  readonly faults: readonly {
    readonly file: string
    readonly line: number
    readonly column: number
    readonly message: string
  }[]
  /** Absolute paths of the modules that were imported. */
  readonly files: readonly string[]
}

export interface SplitErrors {
  /** `null`: the text has no report. */
  readonly faults: FaultReport | null
  /** Everything else that the module wrote. */
  readonly rest: string
}

const START = '{"faults":'

/** Splits the standard error of a module into the report of errors, which is the end of its last line, and the rest. */
export function splitFaults(text: string): SplitErrors {
  const start = text.lastIndexOf(START)
  const nothing = { faults: null, rest: text }
  if (start === -1) return nothing
  const report = text.slice(start)
  if (report.trimEnd().includes('\n')) return nothing
  try {
    const { faults, files } = JSON.parse(report) as Partial<FaultReport>
    if (!Array.isArray(faults) || faults.length === 0) return nothing
    const before = text.slice(0, start)
    return {
      faults: { faults, files: Array.isArray(files) ? files : [] },
      rest: before === '' || before.endsWith('\n') ? before : `${before}\n`,
    }
  } catch {
    return nothing
  }
}
