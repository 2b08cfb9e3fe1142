import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { BoundAction, BoundObserver, DeliveryStore, PendingDelivery, StoredDelivery, Watched } from './delivery.ts'
import { beginDelivery, laneOf, slotOf } from './delivery.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { Lanes, ParkedLanes, type Round } from './lanes.ts'
import { NotActive } from './not-active.ts'
import { DueTimer, delayBefore } from './retry-policy.ts'
import { TargetSlots } from './target-slots.ts'

export interface DispatcherOptions {
  /** Returns the observers whose condition matches an event, in the order of declaration. */
  readonly watch: (event: ChangeEvent) => readonly Watched[]
  /** Returns the observer of a stored delivery with the change; `null`: the schema no longer contains this observer. */
  readonly find: (name: string, event: ChangeEvent) => Watched | null
  readonly store: DeliveryStore
  readonly report: DeliveryReport
  /** Maximum number of concurrent calls per host or function. */
  readonly concurrency: number
  /** Returns a signal that is aborted when this process is no longer the active one. */
  readonly turn: () => AbortSignal
}

/** Limit on deliveries in memory that wait for a slot of their target. The others wait in the store. */
const MOST_WAITING = 256
/** Limit on retried deliveries in memory. */
const MOST_RETRIED = 5000
const DUE_AT_ONCE = 200
/** Delay before a target with too many waiting calls is tried again. */
const FULL_MS = 100
/** Interval of checks for deliveries that other processes put into the store (`svc events retry`). */
const LOOK_MS = 2000

/**
 * Delivers events to the actions of observers: in order per observer and row, with a limit of concurrent calls per
 * target. A delivery that fails temporarily is stored for a later attempt, so that it does not block other targets.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #slots: TargetSlots
  #round: Round
  readonly #parked: ParkedLanes
  readonly #retrying = new Set<string>()
  readonly #timer = new DueTimer(() => {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
  })
  #isOpen = false
  #looking: Promise<void> | null = null
  /** Were more deliveries due than one query returned? */
  #isMoreDue = false
  /** Deliveries that have ended since the store was queried: its result contains their earlier state. */
  #ended = new Set<string>()

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#slots = new TargetSlots(options.concurrency, MOST_WAITING)
    this.#parked = new ParkedLanes(options.store)
    this.#round = { turn: AbortSignal.abort(), lanes: new Lanes() }
  }

  /** Begins to retry stored deliveries. */
  async start(): Promise<void> {
    const turn = this.#options.turn()
    await this.#parked.load()
    this.#round = { turn, lanes: new Lanes() }
    this.#isOpen = true
    this.#schedule(0)
  }

  /** Starts no more deliveries; running ones may end. */
  async stop(): Promise<void> {
    this.#isOpen = false
    this.#timer.stop()
    await this.#looking
  }

  /**
   * Runs the actions of all observers for an event.
   * @returns resolves when every action has succeeded, is stored for another attempt, or is a dead letter
   * @throws when the event was not handled and has to be delivered again
   */
  async deliver(event: ChangeEvent): Promise<void> {
    const watched = this.#options.watch(event)
    const round = this.#round
    await Promise.all(watched.map(({ change, observer }) => this.#inOrder(change, observer, round)))
  }

  /** Passes the events of one row to an observer in order. */
  #inOrder(change: changes.ObservedChange, observer: BoundObserver, round: Round): Promise<void> {
    return round.lanes.run(laneOf(change.event, observer.name, -1), () => this.#actions(change, observer, round))
  }

  async #actions(change: changes.ObservedChange, observer: BoundObserver, round: Round): Promise<void> {
    for (const [index, action] of observer.actions.entries()) {
      const pending = beginDelivery(change.event, observer, index)
      if (await this.#parked.has(pending.lane)) await this.#park(pending, null)
      else await this.#first(change, observer, action, pending, round)
    }
  }

  async #first(
    change: changes.ObservedChange,
    { retry }: BoundObserver,
    action: BoundAction,
    pending: PendingDelivery,
    round: Round,
  ): Promise<void> {
    const release = await this.#slots.take(slotOf(change, action, pending))
    if (release === null) return this.#park(pending, 0)
    let outcome: Outcome
    try {
      outcome = await this.#attempt(change, action, pending, round)
    } finally {
      release()
    }
    if (outcome.kind === 'done') return
    const tried = { ...pending, attempts: 1, error: outcome.error }
    if (outcome.kind === 'never' || retry.max_attempts <= 1) return this.#bury(tried)
    await this.#park(tried, delayBefore(retry, 1, outcome.afterMs))
  }

  async #attempt(
    change: changes.ObservedChange,
    action: BoundAction,
    { event, observer, action: index }: PendingDelivery,
    { turn }: Round,
  ): Promise<Outcome> {
    // Reads the signal again, because the lease may have expired. Work of an earlier turn does not continue in this one.
    this.#options.turn()
    if (!this.#isOpen || turn.aborted) throw new NotActive()
    const { report } = this.#options
    const started = performance.now()
    // With several actions, each has an idempotency key of its own.
    const key = index === 0 ? event.id : `${event.id}/${index}`
    const outcome = await action.run(change, key, turn).catch((error: unknown): Outcome => {
      return { kind: 'again', error: error instanceof Error ? error.message : String(error) }
    })
    // Another process may be delivering this event by now, and determines its outcome.
    if (turn.aborted && outcome.kind !== 'done') throw new NotActive()
    report.attempted(action.type, outcome, (performance.now() - started) / 1000, { observer, event })
    return outcome
  }

  async #park(pending: PendingDelivery, delayMs: number | null): Promise<void> {
    this.#parked.add(pending.lane)
    await this.#options.store.park(pending, delayMs)
    // The preceding delivery may have left the store meanwhile, and its lane with it.
    this.#parked.add(pending.lane)
    this.#schedule(delayMs ?? 0)
  }

  async #bury(delivery: PendingDelivery | StoredDelivery): Promise<void> {
    const stillWaits = await this.#options.store.bury(delivery)
    if ('id' in delivery) this.#left(delivery.lane, stillWaits)
    this.#options.report.buried(delivery)
  }

  #left(lane: string, stillWaits: boolean): void {
    if (stillWaits) this.#schedule(0)
    else if (this.#parked.delete(lane))
      void this.#parked.load().catch((error: unknown) => this.#options.report.failed(error))
  }

  #schedule(delayMs: number): void {
    if (this.#isOpen) this.#timer.schedule(delayMs)
  }

  async #look(): Promise<void> {
    const { store } = this.#options
    let nextMs: number | null = LOOK_MS
    const round = this.#round
    const ended = new Set<string>()
    this.#ended = ended
    try {
      if (round.turn.aborted) return
      // The deliveries of an unresponsive target are the oldest ones. They must not hide the due deliveries behind them.
      const wanted = Math.min(DUE_AT_ONCE + this.#retrying.size, MOST_RETRIED)
      const found = await store.due(wanted)
      const due = found.filter(({ id }) => !this.#retrying.has(id) && !ended.has(id))
      this.#isMoreDue = found.length >= wanted
      for (const delivery of due) {
        this.#retrying.add(delivery.id)
        this.#parked.add(delivery.lane)
        void this.#retry(delivery, round)
          .catch((error: unknown) => this.#failed(error))
          .finally(() => this.#retried(delivery.id))
      }
      if (due.length === 0) nextMs = await store.nextDueMs()
    } catch (error) {
      this.#options.report.failed(error)
    } finally {
      // A minimum delay, so that deliveries that are due but already running are not queried without a pause.
      this.#schedule(Math.max(20, Math.min(nextMs ?? LOOK_MS, LOOK_MS)))
    }
  }

  /** Reports an error. NotActive is no failure of the store: another process has the lease. */
  #failed(error: unknown): void {
    if (!(error instanceof NotActive)) this.#options.report.failed(error)
  }

  /** Continues with the next stored deliveries, as fast as their targets accept them. */
  #retried(id: string): void {
    this.#retrying.delete(id)
    this.#ended.add(id)
    if (!this.#isMoreDue || this.#retrying.size > DUE_AT_ONCE / 2) return
    this.#isMoreDue = false
    this.#schedule(0)
  }

  async #retry(delivery: StoredDelivery, round: Round): Promise<void> {
    const { store, find } = this.#options
    const watched = find(delivery.observer, delivery.event)
    const action = watched?.observer.actions[delivery.action]
    if (watched === null || action === undefined) {
      const error = `the schema has no action ${delivery.action + 1} of observer "${delivery.observer}"`
      return this.#bury({ ...delivery, error })
    }
    const release = await this.#slots.take(slotOf(watched.change, action, delivery))
    if (release === null) return store.again(delivery, FULL_MS)
    let outcome: Outcome
    try {
      outcome = await this.#attempt(watched.change, action, delivery, round)
    } finally {
      release()
    }
    if (outcome.kind === 'done') return this.#left(delivery.lane, await store.done(delivery))
    const { retry } = watched.observer
    const attempts = delivery.attempts + 1
    const tried = { ...delivery, attempts, error: outcome.error }
    if (outcome.kind === 'never' || attempts >= retry.max_attempts) return this.#bury(tried)
    const delayMs = delayBefore(retry, attempts, outcome.afterMs)
    await store.again(tried, delayMs)
    this.#schedule(delayMs)
  }
}
