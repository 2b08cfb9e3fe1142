import type { Kind } from './stages.ts'

/** A handler without its types, which {@link Stages} defines. */
export type AnyFunction = (...args: readonly unknown[]) => unknown

/** Definition of a stage by its owner. */
export interface StageDefinition<K extends Kind = Kind> {
  readonly kind: K
  /** Name of the option of `scope.on` that selects the subjects which a hook runs for. Default: a hook runs for all. */
  readonly selector?: string
  /** Wraps every handler, for example to check its result. */
  readonly wrap?: (handler: AnyFunction) => AnyFunction
}

/** Definitions of the stages of an interface such as `EngineStages`. */
export type StageDefinitions<T extends { readonly [S in keyof T]: { readonly kind: Kind } }> = {
  readonly [S in keyof T]: StageDefinition<T[S]['kind']>
}
