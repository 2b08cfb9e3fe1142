import type { SchemaModel } from '../schema/model.ts'

/** The text of a schema in the schema definition language, with a line break at its end. Equal schemas give equal bytes. */
export type SdlPrinter = (schema: SchemaModel) => string

/** Types what the file `sdl` of a manifest exports. */
export function defineSdlPrinter(print: SdlPrinter): SdlPrinter {
  return print
}
