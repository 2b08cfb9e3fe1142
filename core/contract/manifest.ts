import type { MetricDefinition } from '../base/util/instruments.ts'
import type { PluginKeys } from '../schema/plugin-keys.ts'
import type { TableDefinition } from './table.ts'

/** Version of the plugin API. A manifest states the version that its plugin was written for. */
export const KERNEL_API = 1

/** A JSON Schema, draft 2020-12, as ajv supports it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An error code of a plugin. */
export interface CodeDefinition {
  /** HTTP status. */
  readonly status: number
  /** Clients may see the message. */
  readonly exposed: boolean
  /** Description for docs/reference/errors.md, in one line. */
  readonly doc: string
}

/** A flag of a plugin's command. */
export interface CommandOptionDefinition {
  /** Long form, without dashes. */
  readonly name: string
  /** Short form: one letter, without a dash. */
  readonly short?: string
  readonly type: 'string' | 'boolean'
  /** Name of the value in `--help`: `FILE`. */
  readonly value?: string
  readonly description: string
}

/** A command `svc NAME` of a plugin. */
export interface CommandDefinition {
  readonly name: string
  /** Description in `svc --help`, in one line. */
  readonly summary: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean; readonly description: string }[]
  readonly options?: readonly CommandOptionDefinition[]
  /** The command supports `--json`: it prints one JSON document (`printJson`) instead of text. */
  readonly json?: true
  readonly examples?: readonly string[]
  /** File beside the plugin's entry, without extension: `./command`. Its default export runs the command. Loaded on call. */
  readonly module: string
}

/**
 * Description of a plugin: plain data without code, so that listings, documentation and the configuration schema can import it
 * (docs/guides/write-a-plugin.md#the-manifest).
 */
export interface Manifest {
  /** Name in kebab-case. Of svc's own plugins also the name of the folder, the docs page and the test folder. */
  readonly name: string
  readonly version: string
  readonly kernelApi: number
  /** Description for `svc plugins` and the docs, in one sentence. */
  readonly description: string
  /** Plugins that must be in the list. They are set up before this one. */
  readonly dependencies?: readonly string[]
  /** Plugins that are set up before this one, if they are in the list. */
  readonly after?: readonly string[]
  /** Plugins that are set up after this one, if they are in the list. */
  readonly before?: readonly string[]
  /** Keys of `Provided` that this plugin provides. */
  readonly provides?: readonly string[]
  /** URL schemes of the plugin's database driver: `['postgres', 'postgresql']`. Absent: it has no driver. */
  readonly databaseSchemes?: readonly string[]
  /** Dotted path of the plugin's section in svc.toml: `server.cors`, `svc.apq`. Absent: it has no options. */
  readonly config?: string
  /**
   * JSON Schema of the section. Every property has `type`, `description` and, if it has one, `default`. `environment` names a variable
   * that also sets the property; the variable `SVC_…` of the property has precedence.
   */
  readonly options?: JsonSchema
  /** Alternative names of options, for example of an older version: dotted path → option. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Error codes of the plugin. Each begins with the plugin's name in upper case. */
  readonly codes?: Readonly<Record<string, CodeDefinition>>
  /** Metrics of the plugin, by name: `<plugin>_…`, or `svc_…` for plugins of svc. */
  readonly metrics?: Readonly<Record<string, MetricDefinition>>
  /** Tables of the plugin, for `svc tables`. Its set-up must call `ownTable` for each. */
  readonly tables?: readonly TableDefinition[]
  /** Commands of the plugin. */
  readonly commands?: readonly CommandDefinition[]
  /** Keys that the plugin adds to schema.json. They are known even when the plugin is not enabled. */
  readonly schemaKeys?: PluginKeys
  /**
   * File beside the plugin's entry, without extension: `./compile`. Its default export is made by `defineCompilePart`. `svc compile` loads
   * this file alone of the plugin.
   */
  readonly compile?: string
  /**
   * File beside the plugin's entry, without extension, that prints the schema for `svc compile --sdl`: `./sdl`. Its default export is
   * made by `defineSdlPrinter`. Only one plugin of a list may have it.
   */
  readonly sdl?: string
  /**
   * File beside the plugin's entry, without extension, that inspects a compiled schema: `./after-compile`. Its default export is made by
   * `defineAfterCompile`. The plugin and the plugins of `sdl` are set up for it, without a database.
   */
  readonly afterCompile?: string
  /**
   * File beside the plugin's entry, without extension, that describes what the plugin serves, for `svc diff`: `./contract`. Its default
   * export is made by `defineContract`. The plugin is not set up for it.
   */
  readonly contract?: string
  /**
   * File beside the plugin's entry, without extension, that `svc doctor` loads: `./doctor`. Its default export is made by
   * `defineDoctorCheck`. The plugin is not set up for it.
   */
  readonly doctor?: string
}
