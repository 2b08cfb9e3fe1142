import type { ServiceDescription } from '../project/describe-service.ts'

/** A message that a worker process sends to its supervisor process. */
export type WorkerMessage =
  | ({ readonly type: 'listening' } & Announcement)
  | { readonly type: 'reloaded'; readonly result: 'swapped' | 'unchanged'; readonly hash: string }
  | { readonly type: 'reload-failed'; readonly reason: string }
  /** A question to all workers. The sending worker chooses `id`. */
  | { readonly type: 'ask'; readonly id: number; readonly topic: string }
  | { readonly type: 'answer'; readonly question: number; readonly answers: readonly unknown[] }
  | { readonly type: 'tell'; readonly topic: string; readonly value: unknown }

/** A message that the supervisor process sends to a worker process. */
export type SupervisorMessage =
  | { readonly type: 'reload' }
  | { readonly type: 'stop' }
  /** The configured number of workers, and the number that listen now. */
  | { readonly type: 'workers'; readonly configured: number; readonly listening: number }
  | { readonly type: 'question'; readonly question: number; readonly topic: string }
  /** A message that another worker sent to all. */
  | { readonly type: 'told'; readonly topic: string; readonly value: unknown }
  /** The answers of all workers to the question that this worker sent as `id`. */
  | { readonly type: 'answers'; readonly id: number; readonly answers: readonly unknown[] }

/** What a worker reports to its supervisor once it listens. */
export interface Announcement {
  /** URL at which the worker listens, with the actual port if the configured one is 0. */
  readonly url: string
  /** Hash of the compiled schema that the worker serves. */
  readonly hash: string
  /** Summary of the service, which the supervisor prints when all workers are ready. */
  readonly service: ServiceDescription
}

/** Result of a reload request to one worker. `gone`: the worker died before it responded. */
export type ReloadAnswer =
  | Extract<WorkerMessage, { readonly type: 'reloaded' | 'reload-failed' }>
  | { readonly type: 'gone' }

/** Name of the environment variable that contains a worker's number, from 1. It is set in worker processes only. */
export const WORKER_VARIABLE = 'SVC_WORKER'
