/** Kinds of embedded databases that `svc init` can set up for a new project. */
export const DATABASES = ['pglite', 'sqlite'] as const
export type InitDatabase = (typeof DATABASES)[number]

/** A template of `svc init`: the contents that differ between the kinds of new projects. */
export interface Template {
  /** Content of schema.ts. */
  readonly schema: string
  /** Content of test/api.test.ts. */
  readonly test: string
  /** Value of `security.default_policy` in svc.toml: whether operations require a credential. */
  readonly policy: 'public' | 'authenticated'
  /** Further sections of svc.toml, as TOML text. */
  readonly more: string
  /** Names of plugins that svc.toml enables in addition to those of the preset. */
  readonly enable?: readonly string[]
  /**
   * Files of the folder db/ for each kind of database: content by path. The template cannot be used with a kind that
   * has no entry.
   */
  readonly files: Partial<Readonly<Record<InitDatabase, Readonly<Record<string, string>>>>>
  /** Section of README.md with first requests to the running service. */
  readonly tryIt: string
}
