import type { WorkerSlot } from './worker-slot.ts'

const TIMEOUT_MS = 1000

interface Question {
  readonly missing: Set<WorkerSlot>
  readonly answers: unknown[]
  readonly end: () => void
}

/**
 * Lets one worker process ask all workers a question, such as for their metrics: the supervisor forwards it and
 * collects the answers.
 */
export class Questions {
  readonly #open = new Map<number, Question>()
  #asked = 0

  /** Sends a question. @param slots workers that serve @returns answers that arrive within a second */
  ask(slots: readonly WorkerSlot[], topic: string): Promise<readonly unknown[]> {
    return new Promise((resolve) => {
      const id = ++this.#asked
      const answers: unknown[] = []
      const end = (): void => {
        clearTimeout(overdue)
        this.#open.delete(id)
        resolve(answers)
      }
      const overdue = setTimeout(end, TIMEOUT_MS)
      const asked = slots.filter((slot) => slot.say({ type: 'question', question: id, topic }))
      this.#open.set(id, { missing: new Set(asked), answers, end })
      if (asked.length === 0) end()
    })
  }

  /** Adds the answers of one worker. */
  hear(slot: WorkerSlot, id: number, answers: readonly unknown[]): void {
    const question = this.#open.get(id)
    if (question?.missing.delete(slot) !== true) return
    question.answers.push(...answers)
    if (question.missing.size === 0) question.end()
  }

  /** Stops waiting for the answers of a worker that died. */
  gone(slot: WorkerSlot): void {
    for (const id of this.#open.keys()) this.hear(slot, id, [])
  }
}
