import { blame } from '../errors/blame.ts'
import type { Generation, GenerationSlot } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { MaybePromise } from './stages.ts'

/** Builds generations: the schema with everything that plugins derive from it. */
export interface GenerationBuilder {
  /** Adds a slot; every generation built from here on has it. */
  add<T>(plugin: string, build: (schema: SchemaModel) => MaybePromise<T>): GenerationSlot<T>
  /** Builds all slots, one after the other; a throw of one is thrown on, noted under its plugin. */
  build(schema: SchemaModel): Promise<Generation>
}

/** Creates the builder of one process; generations count up from 1. */
export function createGenerationBuilder(): GenerationBuilder {
  const slots: { readonly plugin: string; readonly build: (schema: SchemaModel) => unknown }[] = []
  let lastId = 0
  return {
    add<T>(plugin: string, build: (schema: SchemaModel) => MaybePromise<T>) {
      const index = slots.push({ plugin, build }) - 1
      return Object.freeze({ of: (generation: Generation) => generation.slots[index] as T })
    },
    async build(schema) {
      const values: unknown[] = []
      for (const { plugin, build } of slots) {
        try {
          values.push(await build(schema))
        } catch (error) {
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
  }
}
