/** Number of cached addresses: more than most services have connections. */
const MOST = 4096

/** Wraps a pure function of a short text with a cache of its results. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = compute(text)
    // Clearing all is rare, and simpler than keeping an order.
    if (answers.size >= MOST) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
