import type { MaybePromise } from './stages.ts'

/** Messages between the processes of a service (`server.workers`). */
export interface Peers {
  /** Number of this process, from 1. A process that replaces a dead one gets its number. `null`: there are no other processes. */
  readonly index: number | null
  /**
   * Registers the answer of this process to a question, for all processes that ask.
   * @param give returns the answer, which other processes receive as JSON
   */
  answer(topic: string, give: () => MaybePromise<unknown>): void
  /**
   * Asks every process, this one included.
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

/** Answers and listeners of one process. */
export class Answers {
  readonly #byTopic = new Map<string, () => MaybePromise<unknown>>()
  readonly #listeners = new Map<string, Set<PeerListener>>()

  add(topic: string, give: () => MaybePromise<unknown>): void {
    this.#byTopic.set(topic, give)
  }

  /** @returns a list with the answer; empty when the topic has none */
  async give(topic: string): Promise<readonly unknown[]> {
    const give = this.#byTopic.get(topic)
    return give === undefined ? [] : [await give()]
  }

  listen(topic: string, listener: PeerListener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /** Delivers a message of another process. An error of a listener becomes a process warning, and the other listeners still run. */
  told(topic: string, value: unknown): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(value)
      } catch (error) {
        process.emitWarning(error as Error)
      }
    }
  }
}

/** Creates the peers of a process without others. */
export function createLonePeers(): Peers {
  const answers = new Answers()
  return {
    index: null,
    answer: (topic, give) => answers.add(topic, give),
    ask: (topic) => answers.give(topic),
    tell() {},
    hear: (topic, listener) => answers.listen(topic, listener),
  }
}
