import { type BootSequence, type BootStep, type BootTiming, createBootSequence } from './boot.ts'
import type { BootFault } from './faults.ts'
import type { Manifest } from './manifest.ts'
import { splitAtDatabase } from './order.ts'
import type { MaybePromise } from './stages.ts'

/** The set-ups of a boot in two parts. The database is opened between them. */
export interface SetUp {
  /** Sets up the plugins with drivers. @returns the fault of the first that fails; `null` on success */
  drivers(): Promise<BootFault | null>
  /** Sets up the other plugins. @returns the fault of the first that fails; `null` on success */
  others(): Promise<BootFault | null>
  /** Registers a close function of a plugin. */
  onClose(plugin: string, close: () => MaybePromise<void>): void
  /** Runs all close functions, in reverse order. @returns the faults of those that failed */
  close(): Promise<readonly BootFault[]>
  readonly timings: readonly BootTiming[]
}

/**
 * Creates the set-up of a boot.
 * @param steps set-ups in the order in which they run
 * @param timeoutMs limit for one set-up in milliseconds; 0: none
 */
export function createSetUp(steps: readonly BootStep[], timeoutMs: number): SetUp {
  const [drivers, others] = splitAtDatabase(steps)
  const origin = performance.now()
  const early = createBootSequence(drivers, timeoutMs, origin)
  let late: BootSequence | null = null
  const isEarly = new Set(drivers.map(({ manifest }: { manifest: Manifest }) => manifest.name))
  return {
    get timings() {
      return [...early.timings, ...(late?.timings ?? [])]
    },
    drivers: () => early.start(),
    others() {
      late = createBootSequence(others, timeoutMs, origin)
      return late.start()
    },
    onClose(plugin, close) {
      const sequence = isEarly.has(plugin) ? early : (late ?? early)
      sequence.onClose(plugin, close)
    },
    async close() {
      const faults = (await late?.close()) ?? []
      return [...faults, ...(await early.close())]
    },
  }
}
