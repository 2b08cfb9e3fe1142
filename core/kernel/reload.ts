import { SvcError } from '../errors/svc-error.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Signals } from '../signals/signals.ts'
import type { ReloadOutcome } from './scope.ts'

export interface ReloadParts {
  readonly signals: Signals
  current(): Generation
  buildGeneration(schema: SchemaModel): Promise<Generation>
  swap(generation: Generation): void
  /** Loads again what is no part of the schema; never rejects. */
  readonly others?: (() => Promise<void>) | undefined
  /** Lets a generation go that never served. */
  discard(generation: Generation): Promise<void>
}

/** Loads, builds, swaps. */
export type Reload = (
  load: () => Promise<SchemaModel>,
  options?: { readonly validateOnly?: boolean },
) => Promise<ReloadOutcome>

/**
 * Reload with the guarantees of spec "Reload behaviour" 1 to 3 and 6: one at a time, no swap for the same hash, and a
 * failure of any kind leaves the old generation serving.
 */
export function createReload({ signals, current, buildGeneration, swap, discard, others }: ReloadParts): Reload {
  let busy = false

  async function attempt(load: () => Promise<SchemaModel>): Promise<ReloadOutcome> {
    await others?.()
    const schema = await load()
    const { hash } = schema
    if (hash === current().hash) {
      signals.emit({ type: 'reload-unchanged', hash })
      return { result: 'unchanged', hash }
    }
    swap(await buildGeneration(schema))
    signals.emit({ type: 'generation-loaded', hash, reason: 'reload' })
    return { result: 'swapped', hash }
  }

  /** Nobody's service is at stake: a failure is the asker's alone. */
  async function validate(load: () => Promise<SchemaModel>): Promise<ReloadOutcome> {
    const schema = await load()
    await discard(await buildGeneration(schema))
    return { result: 'valid', hash: schema.hash }
  }

  return async (load, { validateOnly = false } = {}) => {
    if (busy) throw new SvcError('SVC_RELOAD_BUSY', 'A reload is already running; try again when it is done.')
    busy = true
    try {
      return await (validateOnly ? validate(load) : attempt(load))
    } catch (error) {
      if (!validateOnly) signals.emit({ type: 'reload-failed', error })
      throw error
    } finally {
      busy = false
    }
  }
}
