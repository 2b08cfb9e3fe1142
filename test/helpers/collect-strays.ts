import type { TestLike } from './services.ts'

/** @returns errors that no code has handled, from now until the end of the test; without this they end the process */
export function collectStrays(t: Pick<TestLike, 'teardown'>): unknown[] {
  const strays: unknown[] = []
  const note = (error: unknown): void => void strays.push(error)
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  t.teardown(() => {
    process.off('uncaughtException', note)
    process.off('unhandledRejection', note)
  })
  return strays
}
