import type { PlanChoice } from './plan-choice.ts'
import { Spread } from './spread.ts'

/** Estimated duration of a statement, from all of its runs. */
export interface StatementCost {
  /** Moving average of the duration in milliseconds. */
  ms: number
  /** Number of measured runs. */
  runs: number
  /** Number of runs in progress that already take much longer than usual. */
  stuck: number
  /** Moving average of the fraction of runs that were much shorter than the average, from 0 to 1. */
  quick: number
  readonly typical: TypicalRun
  readonly spread: Spread
  /**
   * How the statement is planned, if its best plan depends on its values and `plan_cache_mode` is `force_generic_plan`;
   * `null` until the first run.
   */
  plan: PlanChoice | null
}

/**
 * Mean duration of a statement while shared connections are filled one by one. {@link LaneUse} compares other runs with
 * it.
 */
export interface TypicalRun {
  /** Mean duration in milliseconds. */
  ms: number
  /** Number of runs in the mean. */
  runs: number
  /** Number of runs of the statement since the start. */
  seen: number
}

/** Assumed duration of a statement that never ran. */
const UNKNOWN_MS = 1
/**
 * Duration in milliseconds above which a statement gets a connection of its own instead of a shared one, where it would
 * delay others.
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

/** Estimated durations of statements, by statement name. When there are too many, the oldest are removed. */
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

/** Tests whether a statement is short enough for a shared connection. It is not while one of its runs hangs. */
export function isSmall(cost: StatementCost): boolean {
  return cost.ms < SLOW_MS && cost.stuck === 0
}

/**
 * Tests whether a statement may be sent behind others on a shared connection. A write that was never measured may not,
 * because a waiting write cannot be moved to another connection.
 * @param isRead `true` for a statement that only reads
 */
export function maySharePlace(cost: StatementCost, isRead: boolean): boolean {
  return isSmall(cost) && (isRead || cost.runs > 0)
}

/**
 * Tests whether the duration of a statement varies much with its parameters, so that its quick runs should not wait for
 * slow ones.
 */
export function isUneven(cost: StatementCost): boolean {
  return cost.quick > UNEVEN_SHARE
}

/**
 * Tests whether a statement is slow enough to run faster on a connection of its own than behind others on a shared one.
 */
export function isWorthOwn(cost: StatementCost): boolean {
  return cost.ms >= WORTH_OWN_MS && cost.runs >= FEW_RUNS
}

/**
 * Updates the estimated duration of a statement after a run. A single long run counts little, because a busy machine
 * delays any statement.
 * @param ms duration of the run in milliseconds
 */
export function recordDuration(cost: StatementCost, ms: number): void {
  const isKnown = cost.runs >= FEW_RUNS
  cost.quick += ((ms < cost.ms * QUICK_PART ? 1 : 0) - cost.quick) * 0.1
  if (!isKnown) cost.runs++
  const rise = isKnown && ms < SURPRISE_MS ? Math.min(ms - cost.ms, cost.ms * 3 + 2) * 0.1 : (ms - cost.ms) * 0.3
  cost.ms += ms > cost.ms ? rise : (ms - cost.ms) * 0.1
}

/**
 * Raises the estimated duration of a statement to the time that a run in progress has already taken.
 * @param ms that time in milliseconds
 */
export function expectAtLeast(cost: StatementCost, ms: number): void {
  if (cost.runs < FEW_RUNS || ms >= SURPRISE_MS) cost.ms = Math.max(cost.ms, ms)
}

/**
 * Returns the total idle time of the event loop in milliseconds. In Bun, which does not measure it, the loop counts as
 * always idle.
 */
export const idleTime: () => number =
  process.versions.bun === undefined ? () => performance.nodeTiming.idleTime : () => performance.now()
