import { type BootSequence, type BootStep, type BootTiming, createBootSequence } from './boot.ts'
import type { BootFault } from './faults.ts'
import type { Manifest } from './manifest.ts'
import { splitAtDatabase } from './order.ts'
import type { MaybePromise } from './stages.ts'

/** The set-ups of a boot, in two parts with the opening of the database between them. */
export interface SetUp {
  /** Sets up the drivers. @returns the fault of the first that fails, or `null` */
  drivers(): Promise<BootFault | null>
  /** Sets up the others. */
  others(): Promise<BootFault | null>
  onClose(plugin: string, close: () => MaybePromise<void>): void
  /** Closes in reverse order, all of them. @returns what failed */
  close(): Promise<readonly BootFault[]>
  readonly timings: readonly BootTiming[]
}

/** @param steps sorted @param timeoutMs how long one set-up may take; 0 = for ever */
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
