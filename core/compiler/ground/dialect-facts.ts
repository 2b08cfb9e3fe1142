/** The properties of a dialect that the compiler needs; a `Dialect` has them. */
export interface DialectFacts {
  readonly name: string
  readonly operators: ReadonlySet<string>
  /** Column types that a connection can page by. Absent: all types with an order. */
  readonly cursorTypes?: ReadonlySet<string> | undefined
  /** Can the database describe the result of a function at run time? `null`: no. Absent: yes. */
  readonly describeCall?: object | null | undefined
}
