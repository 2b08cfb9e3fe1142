/** How long a call waits for a target that is busy, on top of those that may wait for any. */
const PATIENCE_MS = 2000
/** One whose slots nobody gives back for so long hangs. */
const HANG_MS = 500
const SWEEP_MS = 50
/** Weight of the last one in how often a slot becomes free. */
const SHARE = 0.05

interface Waiting {
  readonly resolve: (release: (() => void) | null) => void
  /** Until when. */
  readonly until: number
}

interface Target {
  running: number
  waiting: Waiting[]
  /** When a slot became free last, or the last one was taken, and after how many milliseconds one does, on average. */
  freedAt: number
  everyMs: number
  /** Lets go of those who have waited too long. */
  sweep: NodeJS.Timeout | null
}

/**
 * How many calls of one target run at once. What waits beyond that is bounded too: by number for a target that is slow or
 * hangs, by time for one that is merely busy. Who finds it full does without.
 */
export class TargetSlots {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #now: () => number
  readonly #targets = new Map<string, Target>()

  constructor(most: number, mostWaiting: number, now: () => number = () => performance.now()) {
    this.#most = most
    this.#mostWaiting = mostWaiting
    this.#now = now
  }

  /** @returns gives the slot back; `null`: too many wait for this target already */
  async take(name: string): Promise<(() => void) | null> {
    const target = this.#targets.get(name) ?? newTarget()
    this.#targets.set(name, target)
    if (target.running < this.#most) {
      target.running++
      // Whether it keeps up is to be seen from here.
      if (target.running === this.#most) target.freedAt = this.#now()
      return this.#release(name, target)
    }
    if (target.waiting.length < this.#mostWaiting) return this.#wait(target, Number.POSITIVE_INFINITY)
    const now = this.#now()
    if (hangs(target, now) || target.waiting.length * target.everyMs > PATIENCE_MS) return null
    target.sweep ??= setInterval(() => this.#sweep(target), SWEEP_MS).unref()
    return this.#wait(target, now + PATIENCE_MS)
  }

  #wait(target: Target, until: number): Promise<(() => void) | null> {
    return new Promise((resolve) => target.waiting.push({ resolve, until }))
  }

  #release(name: string, target: Target): () => void {
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      const now = this.#now()
      // A pause in which nobody called says nothing.
      if (target.running === this.#most) target.everyMs += (now - target.freedAt - target.everyMs) * SHARE
      target.freedAt = now
      const next = target.waiting.shift()
      if (next !== undefined) return next.resolve(this.#release(name, target))
      target.running--
      if (target.running === 0) this.#targets.delete(name)
    }
  }

  #sweep(target: Target): void {
    const now = this.#now()
    const latest = hangs(target, now) ? Number.MAX_VALUE : now
    const over = target.waiting.filter(({ until }) => until <= latest)
    if (over.length > 0) target.waiting = target.waiting.filter(({ until }) => until > latest)
    for (const { resolve } of over) resolve(null)
    if (target.waiting.some(({ until }) => until !== Number.POSITIVE_INFINITY)) return
    clearInterval(target.sweep!)
    target.sweep = null
  }
}

function newTarget(): Target {
  return { running: 0, waiting: [], freedAt: 0, everyMs: 0, sweep: null }
}

/** Those who came on top of what may wait for any target have nothing to wait for then. */
function hangs({ freedAt }: Target, now: number): boolean {
  return now - freedAt >= HANG_MS
}
