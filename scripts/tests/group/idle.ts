import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'

/**
 * Settles when a test file is through. A file may continue after its last line, for example to wait for a test that
 * names the next: it is through when it has had no work for several turns.
 */
export async function idle(sub: Test): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    if (!sub.idle) {
      turns = 0
      await once(sub, 'idle')
    }
    await nextTurn()
  }
}
