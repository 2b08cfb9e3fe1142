import { type BootFault, toFault } from './faults.ts'
import type { MaybePromise } from './stages.ts'

/** What plugins want to do when the service is ready, and when it begins to stop. */
export class Moments {
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
   * One after the other, in the order of set-up, up to the first that fails.
   * @param begins called before each @returns its fault, or `null`
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
   * All at once; a second call joins the first.
   * @param timeoutMs how long it waits for them
   * @param failed told about what failed, or took too long
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
