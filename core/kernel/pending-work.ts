/** Background work, such as running `afterCommit` hooks. No request waits for it, but the shutdown does. */
export interface PendingWork {
  /** Adds work to wait for at shutdown. @param work must never reject */
  add(work: Promise<void>): void
  /** Waits until all work is done, also work added meanwhile, or the timeout. @returns number of unsettled promises */
  settled(timeoutMs: number): Promise<number>
}

/** Creates an empty list of background work, for hooks of `settle` stages. */
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
