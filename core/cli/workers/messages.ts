import type { ServiceDescription } from '../describe-service.ts'

/** What a worker says to its supervisor. */
export type WorkerMessage =
  | ({ readonly type: 'listening' } & Announcement)
  | { readonly type: 'reloaded'; readonly result: 'swapped' | 'unchanged'; readonly hash: string }
  | { readonly type: 'reload-failed'; readonly reason: string }
  /** A question to all workers; `id` is the asking worker's own. */
  | { readonly type: 'ask'; readonly id: number; readonly topic: string }
  | { readonly type: 'answer'; readonly question: number; readonly answers: readonly unknown[] }
  | { readonly type: 'tell'; readonly topic: string; readonly value: unknown }

/** What the supervisor says to a worker. */
export type SupervisorMessage =
  | { readonly type: 'reload' }
  | { readonly type: 'stop' }
  /** So many processes there should be, and so many listen now. */
  | { readonly type: 'workers'; readonly configured: number; readonly listening: number }
  | { readonly type: 'question'; readonly question: number; readonly topic: string }
  /** What another worker tells. */
  | { readonly type: 'told'; readonly topic: string; readonly value: unknown }
  /** What all answered to the question that this worker asked under `id`. */
  | { readonly type: 'answers'; readonly id: number; readonly answers: readonly unknown[] }

/** What a worker has to tell about itself when it serves. */
export interface Announcement {
  /** With the port that was picked, where none was configured. */
  readonly url: string
  /** Hash of the schema that it serves. */
  readonly hash: string
  /** What is told when all serve. */
  readonly service: ServiceDescription
}

/** How a reload ended in one worker. */
export type ReloadAnswer =
  | Extract<WorkerMessage, { readonly type: 'reloaded' | 'reload-failed' }>
  | { readonly type: 'gone' }

/** Names the place of a worker, from 1; its presence tells a worker that it is one. */
export const WORKER_VARIABLE = 'SVC_WORKER'
