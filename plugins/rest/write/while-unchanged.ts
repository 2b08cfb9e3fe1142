import { SvcError } from '../../../core/doors/plugin.ts'

const ATTEMPTS = 5

/** Tracks whether the rows that a write was computed from have changed. */
export class Unchanged {
  isBroken = false

  /** Records the result of a comparison. @throws SvcError CONFLICT if the rows have changed */
  require(isSame: boolean): void {
    if (isSame) return
    this.isBroken = true
    const message = 'Others kept changing the rows that this was about to write. Nothing was written; try again.'
    throw new SvcError('CONFLICT', message, { retryAfter: 1 })
  }
}

/**
 * Runs work that reads rows and then writes values computed from them. The transaction of the write checks that the rows are unchanged;
 * if they are not, the work is repeated.
 * @throws errors of `work`; CONFLICT after several attempts
 */
export async function whileUnchanged<T>(work: (unchanged: Unchanged) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const unchanged = new Unchanged()
    try {
      return await work(unchanged)
    } catch (error) {
      if (!unchanged.isBroken || attempt === ATTEMPTS) throw error
    }
  }
}
