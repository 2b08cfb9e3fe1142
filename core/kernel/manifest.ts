/** The version of the kernel's plugin API. A plugin states the one it was written for. */
export const KERNEL_API = 1

/** A JSON Schema (draft 2020-12 subset that ajv reads). */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * What a plugin is, apart from what it does: plain data, safe to import for listing, docs and the configuration's
 * schema.
 */
export interface Manifest {
  /** kebab-case; also the folder, the docs page and the test folder. */
  readonly name: string
  readonly version: string
  readonly kernelApi: number
  /** One sentence for `svc plugins` and the docs. */
  readonly description: string
  /** Hard: enabled too, and set up first. */
  readonly dependencies?: readonly string[]
  /** Soft: set up after these when they are there. */
  readonly after?: readonly string[]
  /** Soft: set up before these when they are there. */
  readonly before?: readonly string[]
  /** Keys of `Provided` that this plugin provides. */
  readonly provides?: readonly string[]
  /** URL schemes of the database driver that it offers: `['postgres', 'postgresql']`. Absent = it offers none. */
  readonly databaseSchemes?: readonly string[]
  /** Dotted path of its section in svc.toml (`server.cors`, `svc.apq`). Absent = it has no options of its own. */
  readonly config?: string
  /** JSON Schema of that section. Every property has `type`, `default` (if any) and `description`. */
  readonly options?: JsonSchema
  /** Error codes it adds, prefixed with its name in upper case. */
  readonly codes?: Readonly<
    Record<string, { readonly status: number; readonly exposed: boolean; readonly doc: string }>
  >
}
