import type { SchemaModel } from '../schema/model.ts'

/**
 * A loaded schema with all values that svc and plugins derived from it. Immutable. Each reload makes a new generation.
 * A request keeps the one that is current when it arrives, so that a reload never mixes two schemas in one response.
 */
export interface Generation {
  /** Number of the generation: 1 for the first schema that a process loads, then one more per reload. */
  readonly id: number
  readonly hash: string
  readonly schema: SchemaModel
  readonly loadedAt: Date
  /** Values that plugins derived from the schema with `perGeneration`. Read a value with {@link GenerationSlot.of}. */
  readonly slots: readonly unknown[]
}

/** Access to a value that a plugin derives from each loaded schema: the result of `scope.perGeneration(build)`. */
export interface GenerationSlot<T> {
  /** Returns the value that `build` returned for the schema of this generation. */
  of(generation: Generation): T
}
