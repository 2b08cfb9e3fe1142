/** A request in the linked list that {@link createDeadlines} keeps. `deadline` is a time of `performance.now()`. */
export interface DeadlineEntry {
  deadline: number
  previousDeadline: DeadlineEntry | null
  nextDeadline: DeadlineEntry | null
  /** Called once, shortly after the deadline. */
  expire(): unknown
}

export interface Deadlines {
  add(entry: DeadlineEntry): void
  remove(entry: DeadlineEntry): void
  close(): void
}

/**
 * Creates a timer for the deadlines of all requests in flight. They have the same time limit, so that a linked list in
 * order of arrival needs only one coarse interval. That costs less than a timer per request, which takes a microsecond.
 * @param spanMs milliseconds until a request expires; 0: never
 */
export function createDeadlines(spanMs: number): Deadlines {
  if (spanMs === 0) return { add() {}, remove() {}, close() {} }
  let head: DeadlineEntry | null = null
  let tail: DeadlineEntry | null = null
  // A deadline is late by at most a tenth of the span, and by at most a quarter of a second.
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

  /** After a late tick (the process was busy), requests since the previous tick get a new deadline: they may be recent. */
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
      // The clock of the ticks is late by up to one tick, or more after a late tick. A deadline can be late, but never early.
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
