/** How a Python schema module is run. */
export interface PythonOptions {
  /**
   * Interpreter: a command, or an absolute path. Default: `.venv` beside the schema or in `baseDir`, else `python3`.
   */
  readonly interpreter?: string
  /** Time limit of the module in milliseconds. Default: 60 000. */
  readonly timeoutMs?: number
  /**
   * Receives what the module prints. Default: standard error of this process, so that the output of a command stays
   * clean.
   */
  readonly print?: (text: string) => void
}
