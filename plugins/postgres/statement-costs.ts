/** How long a statement takes, as far as is known. Shared by all that run it. */
export interface StatementCost {
  /** Moving average, milliseconds. */
  ms: number
}

/** What a statement is taken for that never ran. */
const UNKNOWN_MS = 1
/** From here on a statement holds up those behind it more than a connection of its own costs. */
export const SLOW_MS = 10
const LIMIT = 4096

/** Remembers how long statements take, by name, bounded. Rises fast and falls slowly: a surprise is expected again. */
export class StatementCosts {
  readonly #costs = new Map<string, StatementCost>()

  get(name: string): StatementCost {
    const known = this.#costs.get(name)
    if (known !== undefined) return known
    if (this.#costs.size >= LIMIT) {
      for (const oldest of this.#costs.keys()) {
        this.#costs.delete(oldest)
        break
      }
    }
    const cost: StatementCost = { ms: UNKNOWN_MS }
    this.#costs.set(name, cost)
    return cost
  }
}

export function recordDuration(cost: StatementCost, ms: number): void {
  cost.ms += (ms - cost.ms) * (ms > cost.ms ? 0.3 : 0.1)
}
