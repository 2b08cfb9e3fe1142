import { blame } from '../base/errors/blame.ts'
import type { Generation, GenerationSlot } from '../contract/generation.ts'
import type { SlotOptions } from '../contract/scope.ts'
import type { MaybePromise } from '../contract/stages.ts'

/** Builds generations: a schema with all values that plugins derive from it. */
export interface GenerationBuilder {
  /** Adds a slot for a derived value. All generations built later have it. */
  add<T>(
    plugin: string,
    build: (schema: Generation['schema']) => MaybePromise<T>,
    options?: SlotOptions<T>,
  ): GenerationSlot<T>
  /** `true` if at least one slot disposes of its values. If `false`, users of generations need not be counted. */
  readonly disposes: boolean
  /**
   * Builds the values of all slots, one after the other. If one fails, the values built so far are disposed of, and the
   * error is rethrown with the name of the plugin.
   */
  build(schema: Generation['schema']): Promise<Generation>
  /** Disposes of the values of a generation, in reverse order. Never rejects. */
  dispose(generation: Generation): Promise<void>
}

interface Slot {
  readonly plugin: string
  readonly build: (schema: Generation['schema']) => unknown
  readonly dispose: ((value: unknown) => MaybePromise<void>) | null
}

/**
 * Creates the builder of a process. Ids of generations count up from 1.
 * @param failed is called when a `dispose` function fails
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
