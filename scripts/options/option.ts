/** A chapter of the list: options that belong together, and what their tests have to be. */
export interface Chapter {
  readonly title: string
  /**
   * `database`: the test asks a real database. `any`: it is about what happens before one is asked, as in `svc compile`.
   */
  readonly proof: 'database' | 'any'
  /** Id → what it is, in one line. */
  readonly options: Readonly<Record<string, string>>
}

export interface SpecOption {
  readonly id: string
  readonly text: string
  readonly chapter: Chapter
}
