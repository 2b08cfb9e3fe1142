/** How long a call waits for a busy target when the limit on waiting calls is reached. */
const PATIENCE_MS = 2000
/** Time without a freed slot after which a target counts as unresponsive. */
const HANG_MS = 500
const SWEEP_MS = 50
/** Weight of the last interval in the average time between freed slots. */
const SHARE = 0.05

interface Waiting {
  readonly resolve: (release: (() => void) | null) => void
  /** Time at which it gives up. */
  readonly until: number
}

interface Target {
  running: number
  waiting: Waiting[]
  /** Time at which a slot was freed or the last one was taken, and the average time between freed slots, in milliseconds. */
  freedAt: number
  everyMs: number
  /** Timer that rejects calls that have waited too long. */
  sweep: NodeJS.Timeout | null
}

/**
 * Limits the concurrent calls per target of deliveries. Waiting calls are limited by number for a slow target, and by
 * time for a busy one. A call above these limits is postponed.
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

  /** @returns the function that frees the slot; `null`: too many calls wait for this target */
  async take(name: string): Promise<(() => void) | null> {
    const target = this.#targets.get(name) ?? newTarget()
    this.#targets.set(name, target)
    if (target.running < this.#most) {
      target.running++
      // From now on the rate of freed slots is measured.
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
      // Pauses without calls are not counted.
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

/** Is the target unresponsive? Then calls above the limit on waiting calls are rejected. */
function hangs({ freedAt }: Target, now: number): boolean {
  return now - freedAt >= HANG_MS
}
