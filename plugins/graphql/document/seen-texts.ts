/** So many texts are remembered at least, twice as many at most. */
const REMEMBERED = 4096

/**
 * Was a text here before? Remembers a number of each, no text, of the latest few thousand. Two texts of one number pass
 * for one, which costs nothing but the place that the second is given.
 */
export class SeenTexts {
  #latest = new Set<number>()
  #older = new Set<number>()

  /** Asks, and remembers it. */
  wasSeen(text: string): boolean {
    const number = hash(text)
    if (this.#latest.has(number)) return true
    const known = this.#older.has(number)
    if (this.#latest.size >= REMEMBERED) {
      this.#older = this.#latest
      this.#latest = new Set()
    }
    this.#latest.add(number)
    return known
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value
}
