import type { SdlSource } from './sdl-printer.ts'

/**
 * Inspects a compiled schema.
 * @returns warnings for `svc compile`, one line each
 */
export type AfterCompile = (source: SdlSource) => Promise<readonly string[]>

/** Types the default export of the file that a manifest names in `afterCompile`. Returns its argument. */
export function defineAfterCompile(look: AfterCompile): AfterCompile {
  return look
}
