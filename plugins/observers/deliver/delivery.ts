import { createHash } from 'node:crypto'
import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** An action of an observer that is ready to run: a webhook, chat message, email or handler call. */
export interface BoundAction {
  /** Kind of action: `webhook`, `email`, `chat`, `handler`. */
  readonly type: string
  /** Returns the host or SQL function that the action calls for a change. */
  readonly targetOf: (change: changes.ObservedChange) => string
  /**
   * Executes the action.
   * @param id id of the delivery, the same for every attempt; sent as `Idempotency-Key`
   * @param signal aborted when this process is no longer the active one; requests not yet sent are then cancelled
   */
  readonly run: (change: changes.ObservedChange, id: string, signal: AbortSignal) => Promise<Outcome>
}

export interface BoundObserver {
  readonly name: string
  readonly retry: RetryPolicy
  readonly sync: boolean
  readonly actions: readonly BoundAction[]
}

/** An observer whose condition matches a change. */
export interface Watched {
  readonly change: changes.ObservedChange
  readonly observer: BoundObserver
}

/** One action to execute for one event, which has not succeeded yet. */
export interface PendingDelivery {
  readonly event: ChangeEvent
  readonly observer: string
  /** Index in the observer's list of actions. */
  readonly action: number
  readonly actionType: string
  /** Key of the queue that the delivery belongs to. Deliveries of one queue run in order. */
  readonly lane: string
  readonly maxAttempts: number
  /** Number of attempts that were made. */
  readonly attempts: number
  readonly error: string | null
}

export interface StoredDelivery extends PendingDelivery {
  readonly id: string
}

/**
 * Creates the delivery of an event to one action of an observer, before its first attempt.
 * @param action index in the observer's list of actions
 */
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
 * Returns the key by which concurrent calls are counted and limited. For webhooks and chats it names host and action,
 * so that a slow action does not block others. For the mail server and SQL functions it names only the target.
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

/**
 * Returns the key of the queue for one row and one action of an observer, whose deliveries run in order. A change
 * without a row has a queue of its own.
 */
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
  /** Number of webhook deliveries that finally failed. */
  readonly deadWebhooks: number
}

/** Stores deliveries whose first attempt failed, in memory or in a table. Only the active process writes to it. */
export interface DeliveryStore {
  /**
   * Returns the keys of queues that contain stored deliveries, up to `limit`. New deliveries of such a queue must wait.
   */
  waitingLanes(limit: number): Promise<readonly string[]>
  /** Tests whether the queue with this key contains stored deliveries. */
  isWaiting(lane: string): Promise<boolean>
  /**
   * Stores a delivery for a later attempt.
   * @param delayMs delay in milliseconds; `null`: after the stored deliveries of its queue
   */
  park(delivery: PendingDelivery, delayMs: number | null): Promise<void>
  /** Returns stored deliveries whose time has come: one per queue, and those that an operator retries. */
  due(limit: number): Promise<readonly StoredDelivery[]>
  /** Returns the milliseconds until the next stored delivery is due; `null`: none is stored. */
  nextDueMs(): Promise<number | null>
  /**
   * Removes a delivery that succeeded.
   * @returns `true` if its queue has more stored deliveries
   * @throws NotActive when another process has become the active one
   */
  done(delivery: StoredDelivery): Promise<boolean>
  /**
   * Schedules the next attempt of a stored delivery in `delayMs` milliseconds, and saves its `attempts` and `error`.
   */
  again(delivery: StoredDelivery, delayMs: number): Promise<void>
  /**
   * Stores a delivery as a dead letter, with its `attempts` and `error`. It is not attempted again.
   * @returns `true` if its queue has more stored deliveries
   * @throws NotActive when another process has become the active one
   */
  bury(delivery: StoredDelivery | PendingDelivery): Promise<boolean>
  counts(): Promise<DeliveryCounts>
  /** Deletes the oldest dead letters, so that at most `most` remain. @returns the number of deleted dead letters */
  trim(most: number): Promise<number>
}
