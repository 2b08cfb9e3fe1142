import type { OptionalPackages } from '../base/packages/optional-packages.ts'
import type { MetricDefinition } from '../base/util/instruments.ts'
import type { PluginKeys } from '../schema/plugin-keys.ts'
import type { TableDefinition } from './table.ts'

/**
 * Version of the plugin API of this svc. A manifest states in `kernelApi` the version that its plugin was written for.
 */
export const KERNEL_API = 1

/** A JSON Schema, draft 2020-12, as ajv supports it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Properties of an error code that a plugin raises. */
export interface CodeDefinition {
  /** HTTP status of responses with this error. */
  readonly status: number
  /** `true`: clients may see the message of the error. `false`: they see a generic message. */
  readonly exposed: boolean
  /** Description for docs/reference/errors.md, in one line. */
  readonly doc: string
}

/** A flag (`--name`) of a plugin's command. */
export interface CommandOptionDefinition {
  /** Long form of the flag, without dashes: `output`. */
  readonly name: string
  /** Short form of the flag: one letter, without a dash. */
  readonly short?: string
  readonly type: 'string' | 'boolean'
  /** Placeholder for the flag's value in `--help`: `FILE`. */
  readonly value?: string
  readonly description: string
}

/** A command `svc NAME` that a plugin adds to the command line. */
export interface CommandDefinition {
  readonly name: string
  /** Description of the command in the list of `svc --help`, in one line. */
  readonly summary: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean; readonly description: string }[]
  readonly options?: readonly CommandOptionDefinition[]
  /**
   * `true`: the command has the flag `--json`, with which it prints one JSON document (`printJson`) instead of text.
   */
  readonly json?: true
  readonly examples?: readonly string[]
  /**
   * File that runs the command, beside the plugin's entry file and without extension: `./command`. Its default export
   * is the function to call. It is loaded when the command is called.
   */
  readonly module: string
}

/**
 * Description of a plugin: plain data without code, so that listings, documentation and the configuration schema can import it
 * (docs/guides/write-a-plugin.md#the-manifest).
 */
export interface Manifest {
  /** Name of the plugin in kebab-case. For svc's own plugins, also the name of the folder and of the docs page. */
  readonly name: string
  readonly version: string
  readonly kernelApi: number
  /** Description for `svc plugins` and the docs, in one sentence. */
  readonly description: string
  /** Plugins that must be enabled for this one. They are set up before it. */
  readonly dependencies?: readonly string[]
  /** Plugins after which this one is set up, if they are enabled. Unlike `dependencies`, they may be disabled. */
  readonly after?: readonly string[]
  /** Plugins before which this one is set up, if they are enabled. */
  readonly before?: readonly string[]
  /** Keys under which this plugin provides values to others (`scope.provide`). */
  readonly provides?: readonly string[]
  /**
   * URL schemes of the databases that the plugin can open: `['postgres', 'postgresql']`. Absent: it has no database
   * driver.
   */
  readonly databaseSchemes?: readonly string[]
  /** Dotted path of the plugin's section in svc.toml: `server.cors`, `svc.apq`. Absent: it has no options. */
  readonly config?: string
  /**
   * JSON Schema of the plugin's section in svc.toml. Every property has `type`, `description` and, if it has one,
   * `default`. The keyword `environment` names an environment variable that also sets the option; the option's own
   * variable `SVC_…` has precedence.
   */
  readonly options?: JsonSchema
  /**
   * Alternative names of options, for example those of an older version: dotted configuration key → option of the
   * plugin.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /** Error codes that the plugin raises, with their properties. Each begins with the plugin's name in upper case. */
  readonly codes?: Readonly<Record<string, CodeDefinition>>
  /** Metrics that the plugin counts, by name: `<plugin>_…`, or `svc_…` for svc's own plugins. */
  readonly metrics?: Readonly<Record<string, MetricDefinition>>
  /** Tables that the plugin needs, for `svc tables`. The plugin's set-up function must call `ownTable` for each. */
  readonly tables?: readonly TableDefinition[]
  /**
   * Npm packages that svc does not install, which the plugin imports with `importPackages` where they are needed.
   * `svc doctor` reports missing ones. The versions are known of packages that are optional peers of svc.
   */
  readonly packages?: readonly OptionalPackages[]
  /** Commands `svc NAME` that the plugin adds to the command line. */
  readonly commands?: readonly CommandDefinition[]
  /**
   * Keys that the plugin adds to schema.json. When the plugin is not enabled, the compiler still knows them and names
   * the plugin in its message.
   */
  readonly schemaKeys?: PluginKeys
  /**
   * File that extends the compiler, beside the plugin's entry file and without extension: `./compile`. Its default
   * export is made by `defineCompilePart`. `svc compile` loads no other file of the plugin.
   */
  readonly compile?: string
  /**
   * File that prints the schema for `svc compile --sdl`, beside the plugin's entry file and without extension: `./sdl`.
   * Its default export is made by `defineSdlPrinter`. Of the enabled plugins, only one may have it.
   */
  readonly sdl?: string
  /**
   * File that inspects the compiled schema at the end of `svc compile`, beside the plugin's entry file and without
   * extension: `./after-compile`. Its default export is made by `defineAfterCompile`. For it, this plugin and the
   * plugin with `sdl` are set up, without a database.
   */
  readonly afterCompile?: string
  /**
   * File that describes for `svc diff` what the plugin serves to clients, beside the plugin's entry file and without
   * extension: `./contract`. Its default export is made by `defineContract`. It runs without the plugin's set-up.
   */
  readonly contract?: string
  /**
   * File with the plugin's checks for `svc doctor`, beside the plugin's entry file and without extension: `./doctor`.
   * Its default export is made by `defineDoctorCheck`. It runs without the plugin's set-up.
   */
  readonly doctor?: string
}
