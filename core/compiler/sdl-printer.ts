import type { Generation } from '../contract/generation.ts'
import type { Provided } from '../contract/provided.ts'

/**
 * Input of an SDL printer: the compiled schema as a generation of the printer's plugin and of all plugins that depend
 * on it. The plugins are set up without a database, and nothing is served.
 */
export interface SdlSource {
  readonly generation: Generation
  /** Returns a value that one of these plugins provides. @throws SvcError SVC_PLUGIN_INVALID: none provides it */
  readonly use: <K extends keyof Provided & string>(key: K) => Provided[K]
}

/** Prints a schema in the GraphQL schema definition language, ending with a line break. Equal schemas must give equal texts. */
export type SdlPrinter = (source: SdlSource) => string

/** Types the default export of the file that a manifest names in `sdl`. Returns its argument. */
export function defineSdlPrinter(print: SdlPrinter): SdlPrinter {
  return print
}
