import type { MaybePromise } from '../base/util/promise.ts'
import type { BootTiming } from '../contract/kernel.ts'
import { type BootSequence, type BootStep, createBootSequence } from './boot.ts'
import type { BootFault } from './faults.ts'

/**
 * Sets up all plugins in two parts: first the early ones, such as database drivers, so that the database can be opened.
 */
export interface SetUp {
  /** Runs the set-up of the plugins in the first part. @returns the first failure; `null`: none */
  early(): Promise<BootFault | null>
  /** Runs the set-up of the remaining plugins. @returns the first failure; `null`: none */
  others(): Promise<BootFault | null>
  /** Registers a function that runs when the plugin is closed. */
  onClose(plugin: string, close: () => MaybePromise<void>): void
  /** Runs the close functions of all plugins, in reverse order of registration. @returns the failures */
  close(): Promise<readonly BootFault[]>
  readonly timings: readonly BootTiming[]
}

/**
 * Prepares the set-up of all plugins in two parts.
 * @param steps plugins in the order of their set-up
 * @param early names of the plugins in the first part
 * @param timeoutMs time limit for the set-up of one plugin in milliseconds; 0: none
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
