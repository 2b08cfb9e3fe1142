import type { MaybePromise } from '../base/util/promise.ts'
import type { BootTiming } from '../contract/kernel.ts'
import { type BootSequence, type BootStep, createBootSequence } from './boot.ts'
import type { BootFault } from './faults.ts'

/** Runs the set-ups of a boot in two parts. Between the parts the host can open the database. */
export interface SetUp {
  /** Sets up the early plugins. @returns the fault of the first that fails; `null` on success */
  early(): Promise<BootFault | null>
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
 * @param early names of the plugins of the first part
 * @param timeoutMs limit for one set-up in milliseconds; 0: none
 */
export function createSetUp(steps: readonly BootStep[], early: ReadonlySet<string>, timeoutMs: number): SetUp {
  const origin = performance.now()
  const isEarly = ({ manifest }: BootStep): boolean => early.has(manifest.name)
  const first = createBootSequence(steps.filter(isEarly), timeoutMs, origin)
  let second: BootSequence | null = null
  return {
    get timings() {
      return [...first.timings, ...(second?.timings ?? [])]
    },
    early: () => first.start(),
    others() {
      const others = steps.filter((step) => !isEarly(step))
      second = createBootSequence(others, timeoutMs, origin)
      return second.start()
    },
    onClose(plugin, close) {
      const sequence = early.has(plugin) ? first : (second ?? first)
      sequence.onClose(plugin, close)
    },
    async close() {
      const faults = (await second?.close()) ?? []
      return [...faults, ...(await first.close())]
    },
  }
}
