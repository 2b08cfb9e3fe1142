import { SvcError } from '../../../core/doors/plugin.ts'

const ATTEMPTS = 5

/** What a write was made of, as long as it is still so. */
export class Unchanged {
  isBroken = false

  /** For the check of a precondition. @throws SvcError CONFLICT */
  require(isSame: boolean): void {
    if (isSame) return
    this.isBroken = true
    const message = 'Others kept changing the rows that this was about to write. Nothing was written; try again.'
    throw new SvcError('CONFLICT', message, { retryAfter: 1 })
  }
}

/**
 * Work that reads, and writes what follows from it in a transaction that looks whether it still does: begun again where it does
 * not.
 * @throws what `work` throws; CONFLICT after some attempts
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
