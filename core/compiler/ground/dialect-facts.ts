/** The properties of a dialect that the compiler needs; a `Dialect` has them. */
export interface DialectFacts {
  readonly name: string
  readonly operators: ReadonlySet<string>
  /** Column types that a connection can page by. Absent: all types with an order. */
  readonly cursorTypes?: ReadonlySet<string> | undefined
  /** Describes the result of a function at run time. `null`: the database cannot do this. Absent: it can. */
  readonly describeCall?: object | null | undefined
}
