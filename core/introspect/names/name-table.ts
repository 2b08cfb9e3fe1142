/** Set of names that must be unique together, such as the fields of a type. It chooses a free name among candidates. */
export class NameTable {
  private readonly taken = new Set<string>()
  private readonly isReserved: (name: string) => boolean

  /** @param isReserved tests a name that is never given */
  constructor(isReserved: (name: string) => boolean = () => false) {
    this.isReserved = isReserved
  }

  isFree(name: string): boolean {
    return !this.taken.has(name) && !this.isReserved(name)
  }

  /** Takes the first free name of the candidates; if there is none, the last one with the first free number from 2. */
  claim(first: string, ...others: readonly string[]): string {
    const candidates = [first, ...others]
    let name = candidates.find((candidate) => this.isFree(candidate))
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${candidates.at(-1)}${number}`
      if (this.isFree(numbered)) name = numbered
    }
    this.taken.add(name)
    return name
  }
}
