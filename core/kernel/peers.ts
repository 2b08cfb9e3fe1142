import type { MaybePromise } from './stages.ts'

/** The processes that serve together (`server.workers`), this one included, and what plugins say to each other there. */
export interface Peers {
  /** Place of this process among them, from 1; whoever comes after it dies has the same. `null`: it is alone. */
  readonly index: number | null
  /**
   * Answers questions of this topic, whichever process asks.
   * @param give its value goes to other processes as JSON
   */
  answer(topic: string, give: () => MaybePromise<unknown>): void
  /**
   * Asks every process that serves, this one included.
   * @returns the answers, in no order; without those of a process that fails to answer or takes longer than a second
   */
  ask(topic: string): Promise<readonly unknown[]>
  /**
   * Tells every other process. Nobody answers; a process that starts later has not heard it. What one process tells
   * arrives in the order in which it was told.
   * @param value goes as JSON
   */
  tell(topic: string, value: unknown): void
  /** Calls back with what another process tells about this topic. @returns the function that ends it */
  hear(topic: string, listener: PeerListener): () => void
}

export type PeerListener = (value: unknown) => void

/** What one process answers, and who listens in it. */
export class Answers {
  readonly #byTopic = new Map<string, () => MaybePromise<unknown>>()
  readonly #listeners = new Map<string, Set<PeerListener>>()

  add(topic: string, give: () => MaybePromise<unknown>): void {
    this.#byTopic.set(topic, give)
  }

  /** @returns one answer, or none where nobody answers this topic */
  async give(topic: string): Promise<readonly unknown[]> {
    const give = this.#byTopic.get(topic)
    return give === undefined ? [] : [await give()]
  }

  listen(topic: string, listener: PeerListener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /** Another process told this. A listener that throws takes nothing from the others, nor the process with it. */
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

/** A process that serves alone: there is nobody to tell. */
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
