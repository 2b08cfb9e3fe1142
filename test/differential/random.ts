/** Random numbers that a seed decides: the same cases on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** @throws Error when there is nothing to pick from */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (items.length === 0) throw new Error('There is nothing to pick from')
    return item as T
  }

  /** Some of the items, each at most once, in random order. */
  some<T>(items: readonly T[], most: number): T[] {
    const left = [...items]
    const picked: T[] = []
    while (picked.length < most && left.length > 0) picked.push(...left.splice(this.below(left.length), 1))
    return picked
  }
}
