import type { Kind } from './stages.ts'

/** A hook or chain of hooks in code that handles all stages alike. {@link Stages} has its real type. */
export type AnyFunction = (...args: readonly unknown[]) => unknown

/** How the kernel treats the hooks of a stage. The module or plugin that runs the stage defines it. */
export interface StageDefinition<K extends Kind = Kind> {
  readonly kind: K
  /**
   * Name of the option of `scope.on` with which a hook selects what it runs for, such as `mutations`. Absent: hooks of
   * the stage have no such option and always run.
   */
  readonly selector?: string
  /**
   * Wraps each handler that is added to the stage, for example to check its result. Absent: handlers are called as they
   * are.
   */
  readonly wrap?: (handler: AnyFunction) => AnyFunction
}

/**
 * Definitions of all stages of an interface such as `EngineStages`: name → definition, with the kind from the
 * interface.
 */
export type StageDefinitions<T extends { readonly [S in keyof T]: { readonly kind: Kind } }> = {
  readonly [S in keyof T]: StageDefinition<T[S]['kind']>
}
