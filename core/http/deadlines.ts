/** What the queue needs of a request: its deadline, and the links of the list it stands in. */
export interface DeadlineEntry {
  deadline: number
  previousDeadline: DeadlineEntry | null
  nextDeadline: DeadlineEntry | null
  /** Called when the deadline has passed. */
  expire(): unknown
}

export interface Deadlines {
  add(entry: DeadlineEntry): void
  remove(entry: DeadlineEntry): void
  close(): void
}

/**
 * Deadlines of the requests in flight. All have the same span, so arrival order is deadline order: one coarse timer
 * over a linked list costs a request two pointer writes, where a timer of its own would cost a microsecond.
 * @param spanMs milliseconds until a request expires; 0 = never
 */
export function createDeadlines(spanMs: number): Deadlines {
  if (spanMs === 0) return { add() {}, remove() {}, close() {} }
  let head: DeadlineEntry | null = null
  let tail: DeadlineEntry | null = null
  // Late by a tenth of the span at most, and never by more than a quarter of a second.
  const tickMs = Math.max(5, Math.min(250, Math.floor(spanMs / 10)))
  let now = performance.now()

  function remove(entry: DeadlineEntry): void {
    const { previousDeadline, nextDeadline } = entry
    if (previousDeadline === null) {
      if (head !== entry) return
      head = nextDeadline
    } else previousDeadline.nextDeadline = nextDeadline
    if (nextDeadline === null) tail = previousDeadline
    else nextDeadline.previousDeadline = previousDeadline
    entry.previousDeadline = null
    entry.nextDeadline = null
  }

  /** Those that came since the last tick, which was long ago because the process was busy, may have come just now. */
  function postpone(lastTick: number): void {
    const given = lastTick + tickMs + spanMs
    for (let entry = tail; entry !== null && entry.deadline === given; entry = entry.previousDeadline) {
      entry.deadline = now + spanMs
    }
  }

  const timer = setInterval(() => {
    const lastTick = now
    now = performance.now()
    if (now - lastTick > tickMs) postpone(lastTick)
    while (head !== null && head.deadline <= now) {
      const entry = head
      remove(entry)
      entry.expire()
    }
  }, tickMs)
  timer.unref()

  return {
    add(entry) {
      // The tick's clock lags by a tick, and where by more, the next tick knows: a deadline may come late, never early.
      entry.deadline = now + tickMs + spanMs
      entry.previousDeadline = tail
      entry.nextDeadline = null
      if (tail === null) head = entry
      else tail.nextDeadline = entry
      tail = entry
    },
    remove,
    close() {
      clearInterval(timer)
    },
  }
}
