import type { PlanChoice } from './plan-choice.ts'
import { Spread } from './spread.ts'

/** How long a statement takes, as far as is known. Shared by all that run it. */
export interface StatementCost {
  /** Moving average, milliseconds. */
  ms: number
  /** How often it was measured. */
  runs: number
  /** Runs that the server is at, and for long. */
  stuck: number
  /** Which part of the last runs took a fraction of the others, as a moving average. */
  quick: number
  readonly typical: TypicalRun
  readonly spread: Spread
  /** The plan choice of a selective statement, with `plan_cache_mode = force_generic_plan`. */
  plan: PlanChoice | null
}

/** How long a run took in trials, while one shared connection was filled before the next: how much work it is, against others. */
export interface TypicalRun {
  /** Mean, milliseconds. */
  ms: number
  /** Number of runs in the mean. */
  runs: number
  /** How often it ran, there or elsewhere. */
  seen: number
}

/** Assumed duration of a statement that never ran. */
const UNKNOWN_MS = 1
/** From here on a statement holds up those behind it more than a connection of its own costs. */
export const SLOW_MS = 10
/** Below it a connection of one's own, with a message to and fro for each statement, does less than a shared one. */
const WORTH_OWN_MS = 2
/** So much no busy machine adds. */
const SURPRISE_MS = 100
/** After so many runs, one more duration changes the mean only a little. */
const FEW_RUNS = 4
/** A run is quick beside the others when it takes so small a part of their time. */
const QUICK_PART = 1 / 8
const UNEVEN_SHARE = 0.3
const LIMIT = 4096

/** Remembers how long statements take, by name, bounded. */
export class StatementCosts {
  readonly #costs = new Map<string, StatementCost>()
  readonly #lanes: number
  readonly #connections: number

  /**
   * @param lanes connections that small statements share
   * @param connections all that there can be
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

/** One of many that share connections: it is done before those behind it notice. Not while a run of it hangs. */
export function isSmall(cost: StatementCost): boolean {
  return cost.ms < SLOW_MS && cost.stuck === 0
}

/**
 * May it be sent behind others? A write of which nothing is known may not: what it holds up, and itself if it is held up,
 * cannot be taken elsewhere as a read can.
 */
export function maySharePlace(cost: StatementCost, isRead: boolean): boolean {
  return isSmall(cost) && (isRead || cost.runs > 0)
}

/** Does it take long with some parameters only? Then its quick runs do not wait for the others. */
export function isUneven(cost: StatementCost): boolean {
  return cost.quick > UNEVEN_SHARE
}

/** Is it worth a connection of its own where it would wait for a shared one? */
export function isWorthOwn(cost: StatementCost): boolean {
  return cost.ms >= WORTH_OWN_MS && cost.runs >= FEW_RUNS
}

/**
 * A few first durations are believed. Later on a machine that is short of processors makes any statement look slow now
 * and then: many slow runs say that it is, or one that was slow beyond that.
 */
export function recordDuration(cost: StatementCost, ms: number): void {
  const isKnown = cost.runs >= FEW_RUNS
  cost.quick += ((ms < cost.ms * QUICK_PART ? 1 : 0) - cost.quick) * 0.1
  if (!isKnown) cost.runs++
  const rise = isKnown && ms < SURPRISE_MS ? Math.min(ms - cost.ms, cost.ms * 3 + 2) * 0.1 : (ms - cost.ms) * 0.3
  cost.ms += ms > cost.ms ? rise : (ms - cost.ms) * 0.1
}

/** It has run for so long already. */
export function expectAtLeast(cost: StatementCost, ms: number): void {
  if (cost.runs < FEW_RUNS || ms >= SURPRISE_MS) cost.ms = Math.max(cost.ms, ms)
}

/**
 * How long the event loop has idled, in milliseconds. A runtime that does not count it (Bun) is taken to idle all the time, so that the duration of
 * every statement counts as the server's.
 */
export const idleTime: () => number =
  process.versions.bun === undefined ? () => performance.nodeTiming.idleTime : () => performance.now()
