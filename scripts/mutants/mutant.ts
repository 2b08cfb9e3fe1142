/** A small fault, put into one place of the source. Some test has to notice. */
export interface Mutant {
  /** The fault, in words. */
  readonly fault: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The tests to run, including the one that detects it. */
  readonly tests: readonly string[]
  /** Why no test can notice, or need not; without it a mutant that survives fails the run. */
  readonly survives?: string
}
