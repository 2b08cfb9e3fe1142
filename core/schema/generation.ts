import type { SchemaModel } from './model.ts'

/**
 * One compiled schema with everything derived from it. Immutable; a request takes the kernel's current one at entry
 * and keeps it to its end, so a reload never mixes two schemas in one answer.
 */
export interface Generation {
  /** Counts up from 1 in this process. */
  readonly id: number
  readonly hash: string
  readonly schema: SchemaModel
  readonly loadedAt: Date
  /** Values of the `perGeneration` slots, by slot number. Read through {@link GenerationSlot.of}. */
  readonly slots: readonly unknown[]
}

/** What `scope.perGeneration(build)` gives back. */
export interface GenerationSlot<T> {
  /** The value that was built for this generation. */
  of(generation: Generation): T
}
