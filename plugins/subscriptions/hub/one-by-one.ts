/**
 * Work that is done once at a time.
 * @returns begins it behind the one that goes on; one that has not begun yet is for whoever asks meanwhile, too
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
