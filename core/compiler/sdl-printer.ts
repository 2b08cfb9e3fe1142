import type { Generation } from '../contract/generation.ts'
import type { Provided } from '../contract/provided.ts'

/**
 * What a plugin's `SdlPrinter` receives: the compiled schema, and the values that this plugin and the plugins depending
 * on it derived from the schema. These plugins are set up without a database, and nothing is served.
 */
export interface SdlSource {
  readonly generation: Generation
  /**
   * Returns the value that a plugin provides under the key (`scope.provide`).
   * @throws SvcError SVC_PLUGIN_INVALID: no plugin that was set up provides it
   */
  readonly use: <K extends keyof Provided & string>(key: K) => Provided[K]
}

/**
 * A plugin's function that prints its GraphQL schema as SDL, with a line break at the end. Equal schemas must give
 * equal texts.
 */
export type SdlPrinter = (source: SdlSource) => string

/**
 * Returns its argument unchanged; it only checks the TypeScript type. Use it for the default export of the module that
 * a plugin's manifest names in `sdl`.
 */
export function defineSdlPrinter(print: SdlPrinter): SdlPrinter {
  return print
}
