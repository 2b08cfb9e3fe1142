import type { PlanChoice } from './plan-choice.ts'
import { Spread } from './spread.ts'

/** Estimated duration of a statement. All runs of the statement share it. */
export interface StatementCost {
  /** Moving average of the duration, in milliseconds. */
  ms: number
  /** Number of measurements. */
  runs: number
  /** Number of runs in progress that already take unusually long. */
  stuck: number
  /** Fraction of recent runs that were much shorter than the others, as a moving average. */
  quick: number
  readonly typical: TypicalRun
  readonly spread: Spread
  /** The plan choice of a selective statement, with `plan_cache_mode = force_generic_plan`. */
  plan: PlanChoice | null
}

/**
 * Mean duration of the runs while connections are filled one by one. It measures the work of the statement relative to
 * others.
 */
export interface TypicalRun {
  /** Mean duration in milliseconds. */
  ms: number
  /** Number of runs in the mean. */
  runs: number
  /** Number of all runs, inside and outside trials. */
  seen: number
}

/** Assumed duration of a statement that never ran. */
const UNKNOWN_MS = 1
/**
 * Duration in milliseconds above which a statement gets a connection of its own, because it would delay the statements
 * behind it.
 */
export const SLOW_MS = 10
/** Below this duration a separate connection, with a round trip per statement, has less throughput than a shared one. */
const WORTH_OWN_MS = 2
/** Extra time that cannot be explained by a busy machine. */
const SURPRISE_MS = 100
/** Number of runs from which one more duration changes the mean only a little. */
const FEW_RUNS = 4
/** Fraction of the average duration below which a run counts as quick. */
const QUICK_PART = 1 / 8
const UNEVEN_SHARE = 0.3
const LIMIT = 4096

/** Estimates of durations by name of the statement, limited in number. */
export class StatementCosts {
  readonly #costs = new Map<string, StatementCost>()
  readonly #lanes: number
  readonly #connections: number

  /**
   * @param lanes number of connections that small statements share
   * @param connections limit on the number of all connections
   */
  constructor(lanes: number, connections: number) {
    this.#lanes = lanes
    this.#connections = connections
  }

  get(name: string): StatementCost {
    const known = this.#costs.get(name)
    if (known !== undefined) return known
    if (this.#costs.size >= LIMIT) {
      for (const oldest of this.#costs.keys()) {
        this.#costs.delete(oldest)
        break
      }
    }
    const spread = new Spread(this.#lanes, this.#connections)
    const cost: StatementCost = {
      ms: UNKNOWN_MS,
      runs: 0,
      stuck: 0,
      quick: 0,
      typical: { ms: 0, runs: 0, seen: 0 },
      spread,
      plan: null,
    }
    this.#costs.set(name, cost)
    return cost
  }
}

/** Tests whether a statement may run on a shared connection. It must be short, and none of its runs may hang. */
export function isSmall(cost: StatementCost): boolean {
  return cost.ms < SLOW_MS && cost.stuck === 0
}

/**
 * Tests whether a statement may be sent behind others on a shared connection. A write without measurements may not:
 * writes behind a blocked statement cannot be moved to another connection, as reads can.
 */
export function maySharePlace(cost: StatementCost, isRead: boolean): boolean {
  return isSmall(cost) && (isRead || cost.runs > 0)
}

/**
 * Tests whether the duration of a statement depends on its parameters. Then its quick runs do not wait for the slow
 * ones.
 */
export function isUneven(cost: StatementCost): boolean {
  return cost.quick > UNEVEN_SHARE
}

/** Tests whether a statement is slow enough to use a connection of its own instead of waiting for a shared one. */
export function isWorthOwn(cost: StatementCost): boolean {
  return cost.ms >= WORTH_OWN_MS && cost.runs >= FEW_RUNS
}

/**
 * Updates the estimated duration. The first few durations are used unchanged. Later a single long duration counts
 * little, because a busy machine delays any statement at times. Many slow runs raise the estimate, and so does a single
 * one above `SURPRISE_MS`.
 */
export function recordDuration(cost: StatementCost, ms: number): void {
  const isKnown = cost.runs >= FEW_RUNS
  cost.quick += ((ms < cost.ms * QUICK_PART ? 1 : 0) - cost.quick) * 0.1
  if (!isKnown) cost.runs++
  const rise = isKnown && ms < SURPRISE_MS ? Math.min(ms - cost.ms, cost.ms * 3 + 2) * 0.1 : (ms - cost.ms) * 0.3
  cost.ms += ms > cost.ms ? rise : (ms - cost.ms) * 0.1
}

/** Raises the estimate to the time that a run has already taken. */
export function expectAtLeast(cost: StatementCost, ms: number): void {
  if (cost.runs < FEW_RUNS || ms >= SURPRISE_MS) cost.ms = Math.max(cost.ms, ms)
}

/**
 * Total idle time of the event loop, in milliseconds. A runtime that does not count it (Bun) is treated as always idle, so that every
 * duration is attributed to the server.
 */
export const idleTime: () => number =
  process.versions.bun === undefined ? () => performance.nodeTiming.idleTime : () => performance.now()
