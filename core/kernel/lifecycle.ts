import type { MaybePromise } from '../contract/stages.ts'
import { type BootFault, toFault } from './faults.ts'

/** Collects the `onReady` and `onDrain` functions of all plugins and runs them. */
export class Lifecycle {
  readonly #ready: Entry[] = []
  readonly #drain: Entry[] = []
  #draining: Promise<void> | null = null

  onReady(plugin: string, run: Entry['run']): void {
    this.#ready.push({ plugin, run })
  }

  onDrain(plugin: string, run: Entry['run']): void {
    this.#drain.push({ plugin, run })
  }

  /**
   * Runs the `onReady` functions one after the other, in the order of set-up, and stops at the first failure.
   * @param begins is called before each function
   * @returns the fault; `null` on success
   */
  async ready(begins: (plugin: string) => void = () => {}): Promise<BootFault | null> {
    for (const { plugin, run } of this.#ready) {
      begins(plugin)
      try {
        await run()
      } catch (error) {
        return toFault(error, plugin, 'to get ready')
      }
    }
    return null
  }

  /**
   * Runs all `onDrain` functions concurrently. A second call returns the promise of the first.
   * @param timeoutMs limit for each function in milliseconds
   * @param failed is called for each function that fails or exceeds the limit
   */
  drain(timeoutMs: number, failed: (plugin: string, error: unknown) => void): Promise<void> {
    this.#draining ??= Promise.all(this.#drain.map((entry) => drainOne(entry, timeoutMs, failed))).then(() => {})
    return this.#draining
  }
}

interface Entry {
  readonly plugin: string
  readonly run: () => MaybePromise<void>
}

async function drainOne(
  { plugin, run }: Entry,
  timeoutMs: number,
  failed: (plugin: string, error: unknown) => void,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not done after ${timeoutMs} ms and is left alone.`)), timeoutMs)
  })
  try {
    await Promise.race([(async () => run())(), overdue])
  } catch (error) {
    failed(plugin, error)
  } finally {
    clearTimeout(timer)
  }
}
