import { createHash } from 'node:crypto'
import type { ChangeEvent, ObservedChange } from '../../../core/doors/front.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** One action of an observer, ready to run. */
export interface BoundAction {
  /** `webhook`, `email`, `chat`, `handler`. */
  readonly type: string
  /** Returns the called host or function. */
  readonly targetOf: (change: ObservedChange) => string
  /**
   * @param id the same on every attempt: `Idempotency-Key`
   * @param signal this process may act no more: what has not gone out does not go
   */
  readonly run: (change: ObservedChange, id: string, signal: AbortSignal) => Promise<Outcome>
}

export interface BoundObserver {
  readonly name: string
  readonly retry: RetryPolicy
  readonly sync: boolean
  readonly actions: readonly BoundAction[]
}

/** An observer that an event concerns. */
export interface Watched {
  readonly change: ObservedChange
  readonly observer: BoundObserver
}

/** An action that an event still waits for. */
export interface PendingDelivery {
  readonly event: ChangeEvent
  readonly observer: string
  /** Its place among the actions of the observer. */
  readonly action: number
  readonly actionType: string
  /** Deliveries of one lane run in their order. */
  readonly lane: string
  readonly maxAttempts: number
  /** Attempts so far. */
  readonly attempts: number
  readonly error: string | null
}

export interface StoredDelivery extends PendingDelivery {
  readonly id: string
}

/** Before its first attempt. @param action its place among those of the observer */
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
 * Calls that share a bound. A path that hangs holds up the action that calls it, and no other one of the same host; a mail server
 * and a function of the database are one target, whichever observer calls them.
 */
export function slotOf(
  change: ObservedChange,
  { type, targetOf }: BoundAction,
  { observer, action }: PendingDelivery,
): string {
  const target = targetOf(change)
  return type === 'webhook' || type === 'chat' ? `${observer}/${action} ${target}` : target
}

/** Longer ones do not fit into an index. */
const MOST_ID = 200

/** One observer's action on one row. A change that names no row has a lane of its own. */
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
  /** Dead letters of webhooks. */
  readonly deadWebhooks: number
}

/** Stores deliveries whose first attempt failed. Only the active relay writes to it. */
export interface DeliveryStore {
  /** Lanes in which something waits, the first `limit`: what comes later has to wait behind it. */
  waitingLanes(limit: number): Promise<readonly string[]>
  /** Does something wait in this lane? */
  isWaiting(lane: string): Promise<boolean>
  /** @param delayMs `null`: behind what waits in its lane, where something does */
  park(delivery: PendingDelivery, delayMs: number | null): Promise<void>
  /** Due deliveries, at most one per lane unless they are retried by hand. */
  due(limit: number): Promise<readonly StoredDelivery[]>
  /** Milliseconds until something is; `null` = nothing waits. */
  nextDueMs(): Promise<number | null>
  /** It worked. @returns does something still wait in its lane? @throws NotActive: another process says what came of it */
  done(delivery: StoredDelivery): Promise<boolean>
  /** It waits on, with the attempts and the error that it has now. */
  again(delivery: StoredDelivery, delayMs: number): Promise<void>
  /** A dead letter, with the attempts and the error that it has now. @returns does something still wait in its lane? @throws NotActive */
  bury(delivery: StoredDelivery | PendingDelivery): Promise<boolean>
  counts(): Promise<DeliveryCounts>
  /** Drops the oldest dead letters above the bound. @returns how many */
  trim(most: number): Promise<number>
}
