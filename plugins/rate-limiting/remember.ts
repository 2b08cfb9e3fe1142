/** Addresses come again: more than most services have connections. */
const MOST = 4096

/** A function of a short text whose last answers are kept. It has to depend on nothing else. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = compute(text)
    // All of them anew is seldom, and costs no order to be kept.
    if (answers.size >= MOST) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
