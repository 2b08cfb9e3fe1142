import type { SchemaModel } from '../schema/model.ts'

/**
 * A compiled schema with everything derived from it. Immutable. A request keeps the generation that is current when it
 * arrives until it ends, so that a reload never mixes two schemas in one response.
 */
export interface Generation {
  /** Number of the generation, from 1 in each process. */
  readonly id: number
  readonly hash: string
  readonly schema: SchemaModel
  readonly loadedAt: Date
  /** Values of the `perGeneration` slots, by slot number. Read through {@link GenerationSlot.of}. */
  readonly slots: readonly unknown[]
}

/** The return value of `scope.perGeneration(build)`. */
export interface GenerationSlot<T> {
  /** Returns the value that was built for this generation. */
  of(generation: Generation): T
}
