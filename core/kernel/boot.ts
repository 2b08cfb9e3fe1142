import avvio from 'avvio'
import { type BootFault, toFault } from './faults.ts'
import type { Manifest } from './manifest.ts'
import { toBootFunction } from './plugin.ts'
import type { MaybePromise } from './stages.ts'

/** One plugin's turn. */
export interface BootStep {
  readonly manifest: Manifest
  readonly setup: () => MaybePromise<void>
}

/** Milliseconds, to the microsecond. */
export interface BootTiming {
  readonly plugin: string
  /** From the start of the boot to the start of this plugin's set-up. */
  readonly startMs: number
  readonly durationMs: number
}

/** The sequence of set-ups and, backwards, of closings. */
export interface BootSequence {
  /** Runs the set-ups one after the other and stops at the first that fails. @returns its fault, or `null` */
  start(): Promise<BootFault | null>
  /** Registers a closing; they run in reverse order of registration, all of them, whatever fails. */
  onClose(plugin: string, close: () => MaybePromise<void>): void
  /** @returns what failed while closing */
  close(): Promise<readonly BootFault[]>
  readonly timings: readonly BootTiming[]
}

/**
 * Hands sorted plugins to avvio, which is kept in here: it adds methods and a `then` to the object it is given, so that
 * is a private one; and it does not sort.
 * @param timeoutMs how long one set-up may take; 0 = for ever
 * @param origin what `performance.now()` said when the boot began
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
      // avvio takes a falsy reason for success.
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
