/** A chapter of the list: related options, and the kind of tests that they need. */
export interface Chapter {
  readonly title: string
  /**
   * `database`: the test uses a real database. `any`: it is about behaviour before a database is used, as in `svc
   * compile`.
   */
  readonly proof: 'database' | 'any'
  /** Id → one-line description. */
  readonly options: Readonly<Record<string, string>>
}

export interface SpecOption {
  readonly id: string
  readonly text: string
  readonly chapter: Chapter
}
