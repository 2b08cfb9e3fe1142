import avvio from 'avvio'
import type { BootTiming } from '../contract/kernel.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { MaybePromise } from '../contract/stages.ts'
import { type BootFault, toFault } from './faults.ts'
import { toBootFunction } from './plugin.ts'

/** A plugin's set-up, which a {@link BootSequence} runs. */
export interface BootStep {
  readonly manifest: Manifest
  readonly setup: () => MaybePromise<void>
}

/** Runs the set-up of several plugins in order, and closes them in reverse order. */
export interface BootSequence {
  /** Sets up one plugin after the other, and stops at the first failure. @returns the failure; `null`: none */
  start(): Promise<BootFault | null>
  /** Registers a close function. They run in reverse order of registration, each also if others fail. */
  onClose(plugin: string, close: () => MaybePromise<void>): void
  /** Runs the registered close functions. @returns the failures */
  close(): Promise<readonly BootFault[]>
  readonly timings: readonly BootTiming[]
}

/**
 * Prepares the set-up of plugins with the library avvio. Only this module uses avvio, because it patches its server
 * object.
 * @param steps plugins in the order of their set-up
 * @param timeoutMs time limit for the set-up of one plugin in milliseconds; 0: none
 * @param origin `performance.now()` at the start of the boot, for the timings
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
