import { SvcError } from '../../base/errors/svc-error.ts'
import type { Kernel } from '../../contract/kernel.ts'
import type { ReloadOutcome } from '../../contract/process.ts'
import type { Signals } from '../../contract/signals.ts'
import type { SchemaModel } from '../../schema/model.ts'

/** What {@link createReload} needs: `kernel` builds and exchanges generations, `signals` receives the outcome. */
export interface ReloadDeps {
  readonly signals: Signals
  readonly kernel: Pick<Kernel, 'generation' | 'buildGeneration' | 'swap' | 'discard'>
  /** Reloads files other than the schema, such as the TLS certificate. It never rejects. */
  readonly others?: (() => Promise<void>) | undefined
}

/**
 * Loads a schema and serves it to new requests.
 * @param load reads the schema
 * @param options `validateOnly: true`: only check that the schema can be served; the current one stays active
 * @returns `swapped`, `unchanged` (the hash is that of the current schema) or `valid` (`validateOnly`), with the hash
 * @throws SvcError SVC_RELOAD_BUSY: another reload is running; errors of `load` and of plugins are thrown unchanged
 */
export type Reload = (
  load: () => Promise<SchemaModel>,
  options?: { readonly validateOnly?: boolean },
) => Promise<ReloadOutcome>

/**
 * Creates the function that reloads the schema of a service (docs/plugins/admin.md#routes). One reload runs at a time.
 * After any failure, the current schema stays active.
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
