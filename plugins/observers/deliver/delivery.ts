import { createHash } from 'node:crypto'
import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** One action of an observer, ready to run. */
export interface BoundAction {
  /** `webhook`, `email`, `chat`, `handler`. */
  readonly type: string
  /** Returns the called host or function. */
  readonly targetOf: (change: changes.ObservedChange) => string
  /**
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

/** An observer that an event concerns. */
export interface Watched {
  readonly change: changes.ObservedChange
  readonly observer: BoundObserver
}

/** An action that an event still waits for. */
export interface PendingDelivery {
  readonly event: ChangeEvent
  readonly observer: string
  /** Index of the action among those of the observer. */
  readonly action: number
  readonly actionType: string
  /** Deliveries in the same lane run in order. */
  readonly lane: string
  readonly maxAttempts: number
  /** Number of attempts so far. */
  readonly attempts: number
  readonly error: string | null
}

export interface StoredDelivery extends PendingDelivery {
  readonly id: string
}

/** Creates a delivery before its first attempt. @param action index among the actions of the observer */
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
 * Name of the target for the limit on concurrent calls. A slow path blocks only the action that calls it, not other actions for the
 * same host. The mail server and each function of the database are one target, regardless of the observer.
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

/** Lane of one action of an observer for one row. A change that names no row has a separate lane. */
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

/** Stores deliveries whose first attempt failed. Only the active relay writes to it. */
export interface DeliveryStore {
  /** The first `limit` lanes with stored deliveries, behind which new ones have to wait. */
  waitingLanes(limit: number): Promise<readonly string[]>
  /** Does the lane have stored deliveries? */
  isWaiting(lane: string): Promise<boolean>
  /** Stores a delivery. @param delayMs `null`: behind the stored deliveries of its lane, if there are any */
  park(delivery: PendingDelivery, delayMs: number | null): Promise<void>
  /** Due deliveries, at most one per lane unless they are retried by hand. */
  due(limit: number): Promise<readonly StoredDelivery[]>
  /** Milliseconds until the next delivery is due; `null`: none is stored. */
  nextDueMs(): Promise<number | null>
  /** Removes a successful delivery. @returns has its lane more deliveries? @throws NotActive: another process has the lease */
  done(delivery: StoredDelivery): Promise<boolean>
  /** Stores another attempt, with the present number of attempts and error. */
  again(delivery: StoredDelivery, delayMs: number): Promise<void>
  /** Makes it a dead letter, with its number of attempts and error. @returns has its lane more deliveries? @throws NotActive */
  bury(delivery: StoredDelivery | PendingDelivery): Promise<boolean>
  counts(): Promise<DeliveryCounts>
  /** Deletes the oldest dead letters above a limit. @returns the number of deleted ones */
  trim(most: number): Promise<number>
}
