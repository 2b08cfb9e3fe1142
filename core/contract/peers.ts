import type { MaybePromise } from '../base/util/promise.ts'

/** Messages between the processes of a service (`server.workers`). */
export interface Peers {
  /**
   * Number of this process, from 1. A process that replaces a dead one has the same number. `null`: there are no other
   * processes.
   */
  readonly index: number | null
  /**
   * Registers the answer of this process to a question, for all processes that ask.
   * @param give returns the answer, which other processes receive as JSON
   */
  answer(topic: string, give: () => MaybePromise<unknown>): void
  /**
   * Sends a question to every process, including this one.
   * @returns the answers in no particular order, without those of processes that fail or take longer than a second
   */
  ask(topic: string): Promise<readonly unknown[]>
  /**
   * Sends a message to every other process. There is no answer, and processes that start later do not receive it. Messages of one
   * process arrive in the order in which they were sent.
   * @param value is sent as JSON
   */
  tell(topic: string, value: unknown): void
  /** Subscribes to the messages of other processes about a topic. @returns a function that ends the subscription */
  hear(topic: string, listener: PeerListener): () => void
}

export type PeerListener = (value: unknown) => void
