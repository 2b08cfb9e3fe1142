import { createHash } from 'node:crypto'
import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** One action of an observer, ready to run. */
export interface BoundAction {
  /** Kind of action: `webhook`, `email`, `chat`, `handler`. */
  readonly type: string
  /** Returns the host or function that the action calls. */
  readonly targetOf: (change: changes.ObservedChange) => string
  /**
   * Executes the action.
   * @param id the same for every attempt, sent as `Idempotency-Key`
   * @param signal aborted when this process loses the lease: requests that were not sent yet are cancelled
   */
  readonly run: (change: changes.ObservedChange, id: string, signal: AbortSignal) => Promise<Outcome>
}

export interface BoundObserver {
  readonly name: string
  readonly retry: RetryPolicy
  readonly sync: boolean
  readonly actions: readonly BoundAction[]
}

/** An observer whose condition matches an event. */
export interface Watched {
  readonly change: changes.ObservedChange
  readonly observer: BoundObserver
}

/** An action that has not been executed for an event yet. */
export interface PendingDelivery {
  readonly event: ChangeEvent
  readonly observer: string
  /** Index of the action in the observer's list of actions. */
  readonly action: number
  readonly actionType: string
  /** Name of the delivery's lane. A lane is a queue: its deliveries run in order. */
  readonly lane: string
  readonly maxAttempts: number
  /** Number of attempts so far. */
  readonly attempts: number
  readonly error: string | null
}

export interface StoredDelivery extends PendingDelivery {
  readonly id: string
}

/** Creates a delivery before its first attempt. @param action index in the observer's list of actions */
export function beginDelivery(event: ChangeEvent, observer: BoundObserver, action: number): PendingDelivery {
  return {
    event,
    observer: observer.name,
    action,
    actionType: observer.actions[action]!.type,
    lane: laneOf(event, observer.name, action),
    maxAttempts: observer.retry.max_attempts,
    attempts: 0,
    error: null,
  }
}

/**
 * Returns the name of the target whose concurrent calls are limited. A slow path blocks only the action that calls it,
 * not other actions for the same host. The mail server and each database function are one target, for all observers.
 */
export function slotOf(
  change: changes.ObservedChange,
  { type, targetOf }: BoundAction,
  { observer, action }: PendingDelivery,
): string {
  const target = targetOf(change)
  return type === 'webhook' || type === 'chat' ? `${observer}/${action} ${target}` : target
}

/** Longest id in the name of a lane: longer ones do not fit into an index. */
const MOST_ID = 200

/** Returns the lane for one row and one action of an observer. A change without a row has a lane of its own. */
export function laneOf({ id, entityType, entityId }: ChangeEvent, observer: string, action: number): string {
  const row = entityId === null ? `event ${id}` : entityId.length > MOST_ID ? `sha256 ${digest(entityId)}` : entityId
  return `${observer}/${action}/${entityType ?? ''}/${row}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface DeliveryCounts {
  readonly waiting: number
  readonly dead: number
  /** Number of dead letters of webhooks. */
  readonly deadWebhooks: number
}

/** Stores deliveries whose first attempt failed. Only the active relay writes to the store. */
export interface DeliveryStore {
  /** Returns the first `limit` lanes that contain stored deliveries. New deliveries in these lanes must wait. */
  waitingLanes(limit: number): Promise<readonly string[]>
  /** Tests whether a lane contains stored deliveries. */
  isWaiting(lane: string): Promise<boolean>
  /**
   * Stores a delivery for a later attempt.
   * @param delayMs delay in milliseconds; `null`: behind the stored deliveries of its lane, if there are any
   */
  park(delivery: PendingDelivery, delayMs: number | null): Promise<void>
  /** Returns the deliveries that are due, at most one per lane unless an operator retries them. */
  due(limit: number): Promise<readonly StoredDelivery[]>
  /** Milliseconds until the next delivery is due; `null`: none is stored. */
  nextDueMs(): Promise<number | null>
  /**
   * Removes a successful delivery.
   * @returns `true` if its lane has more deliveries
   * @throws NotActive: another process has the lease
   */
  done(delivery: StoredDelivery): Promise<boolean>
  /** Schedules the next attempt of a stored delivery in `delayMs` milliseconds, and saves its `attempts` and `error`. */
  again(delivery: StoredDelivery, delayMs: number): Promise<void>
  /**
   * Stores a delivery as a dead letter, with its `attempts` and `error`. It is not attempted again.
   * @returns `true` if its lane, the queue of deliveries that keep their order, has more deliveries
   * @throws NotActive: another process has the lease
   */
  bury(delivery: StoredDelivery | PendingDelivery): Promise<boolean>
  counts(): Promise<DeliveryCounts>
  /** Deletes the oldest dead letters above a maximum number. @returns the number of deleted dead letters */
  trim(most: number): Promise<number>
}
