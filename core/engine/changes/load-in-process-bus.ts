import type { InProcessBus } from './in-process-bus.ts'

/** The class of the bus within a process. Its library is loaded by the first plugin that calls this, in its set-up. */
export async function loadInProcessBus(): Promise<typeof InProcessBus> {
  const module = await import('./in-process-bus.ts')
  return module.InProcessBus
}
