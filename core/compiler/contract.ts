import type { Config } from '../contract/config.ts'
import type { SchemaModel } from '../schema/model.ts'

/**
 * What `svc diff` passes to `Contract.describe`: a schema and its configuration. No plugin is set up, and no database
 * is open.
 */
export interface ContractSource<Options = unknown> {
  readonly schema: SchemaModel
  readonly config: Config
  /** Options of the plugin from its section in svc.toml, validated and filled with defaults. */
  readonly options: Options
}

/**
 * A plugin's description of the API that it serves to one group of clients. `svc diff` compares the descriptions of two
 * schemas. For `rest` it is an OpenAPI document; for `mcp`, the tools as in `tools/list`, each with the names of the
 * fields that an agent can request (`fields`).
 */
export interface Contract<Options = unknown> {
  readonly consumers: 'rest' | 'mcp'
  /**
   * Name of another plugin that serves the described API, which then has to be enabled. Default: the plugin with the
   * contract.
   */
  readonly servedBy?: string
  /** Returns the description of the API. @returns `null`: the plugin serves nothing with this configuration */
  describe(source: ContractSource<Options>): object | null
}

/**
 * Returns its argument unchanged; it only checks the TypeScript type. Use it for the default export of the module that
 * a plugin's manifest names in `contract`.
 */
export function defineContract<Options = unknown>(contract: Contract<Options>): Contract<Options> {
  return contract
}
