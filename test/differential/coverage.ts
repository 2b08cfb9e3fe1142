import type { Random } from './random.ts'

/** How often what a generator can make was made. */
export class Coverage {
  readonly counts = new Map<string, number>()
  readonly #open: string[] = []

  /** Names what one case has; counted when the case is taken. */
  note(name: string): void {
    this.#open.push(name)
  }

  /** Takes what was noted since: the case has it, `times` over. */
  take(times: number): readonly string[] {
    const names = [...new Set(this.#open.splice(0))]
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + times)
    return names
  }

  /** Drops what was noted since. */
  forget(): void {
    this.#open.length = 0
  }

  /** One of the items, mostly one that came up seldom so far. @param tries of which the rarest is taken */
  rarest<T>(random: Random, items: readonly T[], nameOf: (item: T) => string, tries = 3): T {
    if (random.chance(0.2)) return random.pick(items)
    const tried = Array.from({ length: tries }, () => random.pick(items))
    const count = (item: T): number =>
      (this.counts.get(nameOf(item)) ?? 0) + this.#open.filter((name) => name === nameOf(item)).length
    return tried.reduce((least, item) => (count(item) < count(least) ? item : least))
  }

  /** What came up less often than it has to, with its count. */
  lacking(names: Iterable<string>, least: number): readonly string[] {
    return [...new Set(names)]
      .filter((name) => (this.counts.get(name) ?? 0) < least)
      .map((name) => `${name}: ${this.counts.get(name) ?? 0}`)
  }
}
