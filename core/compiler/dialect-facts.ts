/** What a compile has to know of a dialect: `Dialect` has it. */
export interface DialectFacts {
  readonly name: string
  readonly operators: ReadonlySet<string>
  /** Types of columns that a connection can page by. Absent: all that have an order. */
  readonly cursorTypes?: ReadonlySet<string> | undefined
  /** Can the database tell what a function gives, when the catalog does not? Absent: it can. */
  readonly describeCall?: object | null | undefined
}
