/**
 * Makes a function that runs `work` without overlap.
 * @returns starts a run after the present one. Calls before it starts share that run
 */
export function oneByOne(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    if (next !== null) return next
    const begin = (): Promise<void> => {
      next = null
      return work()
    }
    next = last.then(begin, begin)
    last = next
    return next
  }
}
