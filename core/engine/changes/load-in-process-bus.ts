import type { InProcessBus } from './in-process-bus.ts'

/** Loads the class of the in-process bus. A plugin calls it in its set-up, so that the library is only loaded if needed. */
export async function loadInProcessBus(): Promise<typeof InProcessBus> {
  const module = await import('./in-process-bus.ts')
  return module.InProcessBus
}
