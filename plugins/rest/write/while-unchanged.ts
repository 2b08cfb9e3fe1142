import { SvcError } from '../../../core/doors/plugin.ts'

const ATTEMPTS = 5

/** Records whether rows have changed between a read and the write that was computed from it. */
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
 * Runs work that reads rows and writes values computed from them. If the write finds that the rows have changed, the
 * work is repeated.
 * @throws errors of `work`; CONFLICT when the rows change in every attempt
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
