import type { MaybePromise } from './stages.ts'

/** The processes that serve together (`server.workers`), this one included, and what plugins ask all of them. */
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
}

/** What one process answers. */
export class Answers {
  readonly #byTopic = new Map<string, () => MaybePromise<unknown>>()

  add(topic: string, give: () => MaybePromise<unknown>): void {
    this.#byTopic.set(topic, give)
  }

  /** @returns one answer, or none where nobody answers this topic */
  async give(topic: string): Promise<readonly unknown[]> {
    const give = this.#byTopic.get(topic)
    return give === undefined ? [] : [await give()]
  }
}

/** A process that serves alone. */
export function createLonePeers(): Peers {
  const answers = new Answers()
  return {
    index: null,
    answer: (topic, give) => answers.add(topic, give),
    ask: (topic) => answers.give(topic),
  }
}
