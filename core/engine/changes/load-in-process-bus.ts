import type { InProcessBus } from './in-process-bus.ts'

/**
 * Loads the class {@link InProcessBus} with the library that it uses. Plugins call it during set-up, so that services
 * without such plugins do not load the library.
 */
export async function loadInProcessBus(): Promise<typeof InProcessBus> {
  const module = await import('./in-process-bus.ts')
  return module.InProcessBus
}
