import type { TableDefinition } from '../contract/table.ts'
import type { MetricDefinition } from '../signals/instruments.ts'

/** The version of the kernel's plugin API. A plugin states the one it was written for. */
export const KERNEL_API = 1

/** A JSON Schema (draft 2020-12 subset that ajv reads). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** One error code that a plugin adds. */
export interface CodeDefinition {
  readonly status: number
  /** May the message leave the process? */
  readonly exposed: boolean
  /** One line for the reference. */
  readonly doc: string
}

/** One flag of a plugin's command. */
export interface CommandOptionDefinition {
  /** Long form without dashes. */
  readonly name: string
  /** One letter without dash. */
  readonly short?: string
  readonly type: 'string' | 'boolean'
  /** How the value is shown in help: `FILE`. */
  readonly value?: string
  readonly description: string
}

/** A command of the command line, `svc NAME`, that a plugin adds. */
export interface CommandDefinition {
  readonly name: string
  /** One line for `svc --help`. */
  readonly summary: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean; readonly description: string }[]
  readonly options?: readonly CommandOptionDefinition[]
  /** The command takes `--json`, too: it prints one JSON document (`printJson`) instead of text for people. */
  readonly json?: true
  readonly examples?: readonly string[]
  /** File beside the plugin's entry, without its ending: `./command`. Its default export runs it; loaded when called. */
  readonly module: string
}

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
  /**
   * JSON Schema of that section. Every property has `type`, `default` (if any) and `description`; `environment` names a
   * variable that sets it too, behind `SVC_…`.
   */
  readonly options?: JsonSchema
  /**
   * Other names of its options, which the same values may stand under: dotted path → option. They are for names that a
   * specification or an older version has.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /** Error codes it adds, prefixed with its name in upper case: status, exposure and docs follow from here. */
  readonly codes?: Readonly<Record<string, CodeDefinition>>
  /** Metrics it counts, by name: `<plugin>_…`, or `svc_…` for those of svc itself. */
  readonly metrics?: Readonly<Record<string, MetricDefinition>>
  /** Tables of its own, for `svc tables`; its set-up sees to each with `ownTable`. */
  readonly tables?: readonly TableDefinition[]
  /** Commands it adds to the command line. */
  readonly commands?: readonly CommandDefinition[]
  /**
   * File beside the plugin's entry, without its ending: `./compile`. Its default export, of `defineCompilePart`, is all
   * that `svc compile` loads of the plugin.
   */
  readonly compile?: string
  /**
   * File beside the plugin's entry, without its ending, that prints a schema for `svc compile --sdl`: `./sdl`. Its default
   * export is made by `defineSdlPrinter`. One plugin of a list does.
   */
  readonly sdl?: string
  /**
   * File beside the plugin's entry, without its ending, that looks at what `svc compile` has made: `./after-compile`. Its default
   * export is made by `defineAfterCompile`. The plugin is set up for it, without a database, beside those that `sdl` sets up.
   */
  readonly afterCompile?: string
  /**
   * File beside the plugin's entry, without its ending, that `svc doctor` loads: `./doctor`. Its default export is made by
   * `defineDoctorCheck`. The plugin is not set up for it.
   */
  readonly doctor?: string
}
