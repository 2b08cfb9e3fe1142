import avvio from 'avvio'
import type { BootTiming } from '../contract/kernel.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { MaybePromise } from '../contract/stages.ts'
import { type BootFault, toFault } from './faults.ts'
import { toBootFunction } from './plugin.ts'

/** The set-up of one plugin. */
export interface BootStep {
  readonly manifest: Manifest
  readonly setup: () => MaybePromise<void>
}

/** Runs set-ups in order, and close functions in reverse order. */
export interface BootSequence {
  /** Runs the set-ups one after the other and stops at the first failure. @returns the fault; `null` on success */
  start(): Promise<BootFault | null>
  /** Registers a close function. They run in reverse order of registration, and each runs even when others fail. */
  onClose(plugin: string, close: () => MaybePromise<void>): void
  /** Runs the close functions. @returns the faults of those that failed */
  close(): Promise<readonly BootFault[]>
  readonly timings: readonly BootTiming[]
}

/**
 * Creates a boot sequence with avvio. avvio stays private to this module, because it adds methods and a `then` to its server object. It
 * does not sort plugins.
 * @param steps set-ups in the order in which they run
 * @param timeoutMs limit for one set-up in milliseconds; 0: none
 * @param origin `performance.now()` at the start of the boot
 */
export function createBootSequence(
  steps: readonly BootStep[],
  timeoutMs: number,
  origin: number = performance.now(),
): BootSequence {
  const app = avvio({}, { autostart: false, timeout: timeoutMs })
  const timings: BootTiming[] = []
  const closeFaults: BootFault[] = []
  let failure: BootFault | null = null
  let running: string | null = null

  async function runStep({ manifest, setup }: BootStep): Promise<void> {
    const { name } = manifest
    running = name
    const started = performance.now()
    try {
      await setup()
    } catch (error) {
      failure = toFault(error, name, 'to set up')
      // A plugin may throw a falsy value, which avvio would treat as success.
      throw new Error(failure.message)
    }
    timings.push({ plugin: name, startMs: round(started - origin), durationMs: round(performance.now() - started) })
  }

  for (const step of steps) app.use(toBootFunction(step.manifest, () => runStep(step)))

  return {
    timings,
    async start() {
      try {
        await app.ready()
        return null
      } catch (error) {
        return failure ?? toFault(explainTimeout(error, running, timeoutMs), running, 'to set up')
      }
    },
    onClose(plugin, close) {
      app.onClose(async () => {
        try {
          await close()
        } catch (error) {
          closeFaults.push(toFault(error, plugin, 'to close'))
        }
      })
    },
    close() {
      return new Promise((resolve) => app.close(() => resolve(closeFaults)))
    },
  }
}

const round = (ms: number) => Math.round(ms * 1000) / 1000

function explainTimeout(error: unknown, plugin: string | null, timeoutMs: number): unknown {
  if ((error as { code?: unknown }).code !== 'AVV_ERR_PLUGIN_EXEC_TIMEOUT') return error
  return new Error(`Plugin "${plugin}" did not finish its set-up within ${timeoutMs} ms.`, { cause: error })
}
