import { SvcError } from '../errors/svc-error.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Signals } from '../signals/signals.ts'

export interface ReloadParts {
  readonly signals: Signals
  current(): Generation
  buildGeneration(schema: SchemaModel): Promise<Generation>
  swap(generation: Generation): void
}

/**
 * Reload with the guarantees of spec "Reload behaviour" 1 to 3 and 6: one at a time, no swap for the same hash, and a
 * failure of any kind leaves the old generation serving.
 */
export function createReload({ signals, current, buildGeneration, swap }: ReloadParts) {
  let busy = false

  async function attempt(load: () => Promise<SchemaModel>): Promise<'swapped' | 'unchanged'> {
    const schema = await load()
    const { hash } = schema
    if (hash === current().hash) {
      signals.emit({ type: 'reload-unchanged', hash })
      return 'unchanged'
    }
    swap(await buildGeneration(schema))
    signals.emit({ type: 'generation-loaded', hash, reason: 'reload' })
    return 'swapped'
  }

  return async (load: () => Promise<SchemaModel>): Promise<'swapped' | 'unchanged'> => {
    if (busy) throw new SvcError('SVC_RELOAD_BUSY', 'A reload is already running; try again when it is done.')
    busy = true
    try {
      return await attempt(load)
    } catch (error) {
      signals.emit({ type: 'reload-failed', error })
      throw error
    } finally {
      busy = false
    }
  }
}
