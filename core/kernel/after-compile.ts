import type { SdlSource } from './sdl-printer.ts'

/**
 * Looks at a schema that has just been compiled.
 * @returns what `svc compile` warns of, a line each
 */
export type AfterCompile = (source: SdlSource) => Promise<readonly string[]>

/** Types what the file `afterCompile` of a manifest exports. */
export function defineAfterCompile(look: AfterCompile): AfterCompile {
  return look
}
