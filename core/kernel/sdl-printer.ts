import type { Generation } from '../schema/generation.ts'
import type { Provided } from './scope.ts'

/**
 * What a printer prints: the compiled schema as a generation of its plugin and of the plugins that depend on it. They are
 * set up without a database, and nothing is served.
 */
export interface SdlSource {
  readonly generation: Generation
  /** What one of these plugins provides. @throws SvcError SVC_PLUGIN_INVALID: none provides it */
  readonly use: <K extends keyof Provided & string>(key: K) => Provided[K]
}

/** The text of a schema in the schema definition language, with a line break at its end. Equal schemas give equal bytes. */
export type SdlPrinter = (source: SdlSource) => string

/** Types what the file `sdl` of a manifest exports. */
export function defineSdlPrinter(print: SdlPrinter): SdlPrinter {
  return print
}
