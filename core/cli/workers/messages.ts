import type { ServiceDescription } from '../project/describe-service.ts'

/** Messages of a worker to its supervisor. */
export type WorkerMessage =
  | ({ readonly type: 'listening' } & Announcement)
  | { readonly type: 'reloaded'; readonly result: 'swapped' | 'unchanged'; readonly hash: string }
  | { readonly type: 'reload-failed'; readonly reason: string }
  /** A question to all workers. The sending worker chooses `id`. */
  | { readonly type: 'ask'; readonly id: number; readonly topic: string }
  | { readonly type: 'answer'; readonly question: number; readonly answers: readonly unknown[] }
  | { readonly type: 'tell'; readonly topic: string; readonly value: unknown }

/** Messages of the supervisor to a worker. */
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

/** Report of a worker that has started to listen. */
export interface Announcement {
  /** URL with the actual port, if the configured one is 0. */
  readonly url: string
  /** Hash of the schema that the worker serves. */
  readonly hash: string
  /** Description of the service, which the supervisor prints when all workers serve. */
  readonly service: ServiceDescription
}

/** Result of a reload in a worker. */
export type ReloadAnswer =
  | Extract<WorkerMessage, { readonly type: 'reloaded' | 'reload-failed' }>
  | { readonly type: 'gone' }

/** Environment variable with the number of a worker, from 1. Only worker processes have it. */
export const WORKER_VARIABLE = 'SVC_WORKER'
