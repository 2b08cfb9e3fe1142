/**
 * For `schema-keys.ts` of the plugins of svc; no entry of the package. It has only the types of keys, because the declaration files of
 * `svc/authoring` load it, in the editors of schema authors. Stars, because interfaces behind named re-exports cannot be augmented by
 * `declare module`.
 */
export type * from '../authoring/option-interfaces.ts'
export type * from '../schema/key-interfaces.ts'
export type * from '../schema/plugin-keys.ts'
