/** The properties of a SQL dialect that the compiler uses. Each `Dialect` has them. */
export interface DialectFacts {
  readonly name: string
  readonly operators: ReadonlySet<string>
  /** `true`: the dialect writes no mutations. Absent: it writes them. */
  readonly readOnly?: true | undefined
  /** Column types that relay queries can page by in this dialect. Absent: all types that have an order. */
  readonly cursorTypes?: ReadonlySet<string> | undefined
  /**
   * Dialect function that describes a function's result columns at run time. The compiler only tests it: `null`: the
   * database cannot describe results; absent: it can.
   */
  readonly describeCall?: object | null | undefined
}
