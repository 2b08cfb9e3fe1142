import { SvcError } from '../../base/errors/svc-error.ts'
import type { Kernel } from '../../contract/kernel.ts'
import type { ReloadOutcome } from '../../contract/process.ts'
import type { Signals } from '../../contract/signals.ts'
import type { SchemaModel } from '../../schema/model.ts'

/** Dependencies of {@link createReload}. */
export interface ReloadDeps {
  readonly signals: Signals
  readonly kernel: Pick<Kernel, 'generation' | 'buildGeneration' | 'swap' | 'discard'>
  /** Reloads files that are not part of the schema, such as the TLS certificate. Never rejects. */
  readonly others?: (() => Promise<void>) | undefined
}

/**
 * Loads a schema, builds its generation and swaps it in.
 * @param load reads and links the schema
 * @param options `validateOnly`: build the generation and dispose of it; the current one keeps serving
 * @returns `swapped`, `unchanged` (same content hash) or `valid`, with the hash
 * @throws SvcError SVC_RELOAD_BUSY; errors of `load` and of the build pass through
 */
export type Reload = (
  load: () => Promise<SchemaModel>,
  options?: { readonly validateOnly?: boolean },
) => Promise<ReloadOutcome>

/**
 * Creates the reload function of an app. One reload runs at a time, a schema with the current hash is not swapped, and after any
 * failure the current generation keeps serving (docs/plugins/admin.md#routes).
 */
export function createReload({ signals, kernel, others }: ReloadDeps): Reload {
  let busy = false

  async function attempt(load: () => Promise<SchemaModel>): Promise<ReloadOutcome> {
    await others?.()
    const schema = await load()
    const { hash } = schema
    if (hash === kernel.generation.hash) {
      signals.emit({ type: 'reload-unchanged', hash })
      return { result: 'unchanged', hash }
    }
    kernel.swap(await kernel.buildGeneration(schema))
    signals.emit({ type: 'generation-loaded', hash, reason: 'reload' })
    return { result: 'swapped', hash }
  }

  /** Emits no signal on failure: the service is not affected, and only the caller of the reload receives the error. */
  async function validate(load: () => Promise<SchemaModel>): Promise<ReloadOutcome> {
    const schema = await load()
    await kernel.discard(await kernel.buildGeneration(schema))
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
