/** Databases that a new project can use. */
export const DATABASES = ['pglite', 'sqlite'] as const
export type InitDatabase = (typeof DATABASES)[number]

/** Files and texts that a template of `svc init` writes into a new project. */
export interface Template {
  /** schema.ts */
  readonly schema: string
  /** test/api.test.ts */
  readonly test: string
  /** `security.default_policy` */
  readonly policy: 'public' | 'authenticated'
  /** Further sections of svc.toml. */
  readonly more: string
  /** Plugins to enable beside those of the preset. */
  readonly enable?: readonly string[]
  /** Files of db/, by database. A database without an entry cannot be used. */
  readonly files: Partial<Readonly<Record<InitDatabase, Readonly<Record<string, string>>>>>
  /** First steps with the running service, for README.md. */
  readonly tryIt: string
}
