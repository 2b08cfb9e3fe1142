/** Work that nobody awaits but close. */
export interface PendingWork {
  /** @param work never rejects */
  add(work: Promise<void>): void
  /**
   * Waits until all of it is done, work added meanwhile too, or the deadline passes.
   * @returns how many were left
   */
  settled(timeoutMs: number): Promise<number>
}

/** Tracks the running handlers of `settle` stages. */
export function createPendingWork(): PendingWork {
  const running = new Set<Promise<void>>()
  return {
    add(work) {
      running.add(work)
      void work.then(() => running.delete(work))
    },
    async settled(timeoutMs) {
      let late = false
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          late = true
          resolve()
        }, timeoutMs)
      })
      while (running.size > 0 && !late) await Promise.race([Promise.all(running), deadline])
      clearTimeout(timer)
      return running.size
    },
  }
}
