import { setTimeout as sleep } from 'node:timers/promises'

/** @throws Error when it is not so within the time */
export async function waitFor(what: string, isSo: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${seconds} s`)
    await sleep(5)
  }
}
