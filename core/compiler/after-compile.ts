import type { SdlSource } from './sdl-printer.ts'

/**
 * A plugin's check that `svc compile` runs on a schema that has compiled.
 * @returns warnings for the author, one line each
 */
export type AfterCompile = (source: SdlSource) => Promise<readonly string[]>

/**
 * Returns its argument unchanged; it only checks the TypeScript type. Use it for the default export of the module that
 * a plugin's manifest names in `afterCompile`.
 */
export function defineAfterCompile(look: AfterCompile): AfterCompile {
  return look
}
