import type { Peers } from '../../contract/peers.ts'
import { Answers } from '../../service/plugins/lone-peers.ts'
import type { SupervisorMessage, WorkerMessage } from './messages.ts'

/** Exchanges messages with the other workers, through the supervisor. */
export interface WorkerPeers extends Peers {
  /** Handles a message of the supervisor. Messages of other kinds are ignored. */
  receive(message: SupervisorMessage): void
}

/**
 * @param index place of the worker, from 1
 * @param say sends a message; `false` when the supervisor is gone
 */
export function createWorkerPeers(index: number, say: (message: WorkerMessage) => boolean): WorkerPeers {
  const answers = new Answers()
  const waiting = new Map<number, (answers: readonly unknown[]) => void>()
  let asked = 0

  async function answer(question: number, topic: string): Promise<void> {
    // A worker that cannot answer sends no answers.
    const given = await answers.give(topic).catch(() => [])
    say({ type: 'answer', question, answers: given })
  }

  return {
    index,
    answer: (topic, give) => answers.add(topic, give),
    ask: (topic) =>
      new Promise((resolve) => {
        const id = ++asked
        waiting.set(id, resolve)
        if (say({ type: 'ask', id, topic })) return
        waiting.delete(id)
        resolve(answers.give(topic))
      }),
    tell: (topic, value) => void say({ type: 'tell', topic, value }),
    hear: (topic, listener) => answers.listen(topic, listener),
    receive(message) {
      if (message.type === 'question') void answer(message.question, message.topic)
      else if (message.type === 'told') answers.told(message.topic, message.value)
      else if (message.type === 'answers') {
        waiting.get(message.id)?.(message.answers)
        waiting.delete(message.id)
      }
    },
  }
}
