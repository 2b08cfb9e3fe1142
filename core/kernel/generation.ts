import { blame } from '../base/errors/blame.ts'
import type { Generation, GenerationSlot } from '../contract/generation.ts'
import type { SlotOptions } from '../contract/scope.ts'
import type { MaybePromise } from '../contract/stages.ts'

/** Builds generations: a loaded schema with all values that plugins derive from it (`scope.perGeneration`). */
export interface GenerationBuilder {
  /** Registers a value that a plugin derives from each schema. @returns reads the value of a generation */
  add<T>(
    plugin: string,
    build: (schema: Generation['schema']) => MaybePromise<T>,
    options?: SlotOptions<T>,
  ): GenerationSlot<T>
  /** `true` if a plugin disposes of its values, so that the requests that use a generation must be counted. */
  readonly disposes: boolean
  /**
   * Derives the values of all plugins from a schema. If one fails, those built so far are disposed of, and the error is
   * rethrown with the name of the plugin.
   */
  build(schema: Generation['schema']): Promise<Generation>
  /** Calls the `dispose` functions for all values of a generation, in reverse order. Never rejects. */
  dispose(generation: Generation): Promise<void>
}

interface Slot {
  readonly plugin: string
  readonly build: (schema: Generation['schema']) => unknown
  readonly dispose: ((value: unknown) => MaybePromise<void>) | null
}

/**
 * Creates the builder of a process. Ids count up from 1. @param failed called when a plugin fails to dispose of a value
 */
export function createGenerationBuilder(
  failed: (plugin: string, error: unknown) => void = () => {},
): GenerationBuilder {
  const slots: Slot[] = []
  let lastId = 0

  async function disposeOf(values: readonly unknown[]): Promise<void> {
    for (const [index, value] of [...values.entries()].reverse()) {
      const { plugin, dispose } = slots[index]!
      if (dispose === null) continue
      try {
        await dispose(value)
      } catch (error) {
        failed(plugin, error)
      }
    }
  }

  return {
    add<T>(plugin: string, build: (schema: Generation['schema']) => MaybePromise<T>, { dispose }: SlotOptions<T> = {}) {
      const slot = { plugin, build, dispose: dispose === undefined ? null : (value: unknown) => dispose(value as T) }
      const index = slots.push(slot) - 1
      return Object.freeze({ of: (generation: Generation) => generation.slots[index] as T })
    },
    get disposes() {
      return slots.some(({ dispose }) => dispose !== null)
    },
    async build(schema) {
      const values: unknown[] = []
      for (const { plugin, build } of slots) {
        try {
          values.push(await build(schema))
        } catch (error) {
          await disposeOf(values)
          throw blame(error, plugin)
        }
      }
      lastId += 1
      return Object.freeze({
        id: lastId,
        hash: schema.hash,
        schema,
        loadedAt: new Date(),
        slots: Object.freeze(values),
      })
    },
    dispose: ({ slots: values }) => disposeOf(values),
  }
}
