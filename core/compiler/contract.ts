import type { Config } from '../contract/config.ts'
import type { SchemaModel } from '../schema/model.ts'

/** Input of a contract: a schema and its configuration. Nothing is set up, and no database is open. */
export interface ContractSource<Options = unknown> {
  readonly schema: SchemaModel
  readonly config: Config
  /** The options of the plugin, validated and with defaults. */
  readonly options: Options
}

/**
 * Describes what a plugin serves, for `svc diff`. `rest`: an OpenAPI document. `mcp`: the tools, as in `tools/list`, each with the names
 * of the fields that an agent can request (`fields`).
 */
export interface Contract<Options = unknown> {
  readonly consumers: 'rest' | 'mcp'
  /** Name of the plugin that serves what is described. Default: the plugin itself. */
  readonly servedBy?: string
  /** Describes what clients can use. @returns `null`: the plugin serves nothing with this configuration */
  describe(source: ContractSource<Options>): object | null
}

/** Types the default export of the file that a manifest names in `contract`. Returns its argument. */
export function defineContract<Options = unknown>(contract: Contract<Options>): Contract<Options> {
  return contract
}
