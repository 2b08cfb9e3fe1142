import type { MaybePromise } from '../base/util/promise.ts'

/** Messages between the worker processes of a service (`server.workers`), for plugins. */
export interface Peers {
  /**
   * Number of this worker process, from 1. A process that replaces a dead one has the same number. `null`: the service
   * has only one process.
   */
  readonly index: number | null
  /**
   * Registers how this process answers a question that a process asks with {@link ask}.
   * @param topic name of the question
   * @param give returns the answer, which is sent as JSON
   */
  answer(topic: string, give: () => MaybePromise<unknown>): void
  /**
   * Asks every process for its answer to a question, including this one.
   * @param topic name of the question, as in {@link answer}
   * @returns the answers in no particular order, without those of processes that fail or take longer than a second
   */
  ask(topic: string): Promise<readonly unknown[]>
  /**
   * Sends a message to every other process, without waiting for an answer. Processes that start later do not receive
   * it. Messages of one process arrive in the order in which they were sent.
   * @param topic name of the kind of message, for {@link hear}
   * @param value content, sent as JSON
   */
  tell(topic: string, value: unknown): void
  /**
   * Receives the messages that other processes send under a topic ({@link tell}).
   * @returns a function that ends the subscription
   */
  hear(topic: string, listener: PeerListener): () => void
}

export type PeerListener = (value: unknown) => void
