import type { MaybePromise } from '../../base/util/promise.ts'
import type { PeerListener, Peers } from '../../contract/peers.ts'

/**
 * The functions that plugins registered for messages and questions between the processes of a service (`Peers`), by
 * topic.
 */
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

/** Creates the `Peers` of a service that consists of one process: questions are answered by this process alone. */
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
