import type { RunningStatement } from '../wire/running-statement.ts'

/** A queue of waiting statements, in order of arrival. It skips those whose caller no longer waits. */
export class StatementQueue {
  #first: RunningStatement | null = null
  #last: RunningStatement | null = null
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Returns the first statement whose caller still waits, without removing it. */
  peek(): RunningStatement | null {
    while (this.#first?.abandoned === true) this.shift()
    return this.#first
  }

  push(statement: RunningStatement): void {
    if (this.#last === null) this.#first = statement
    else this.#last.next = statement
    this.#last = statement
    this.#length++
  }

  /** Puts statements that have waited before at the front of the queue. */
  unshift(statements: readonly RunningStatement[]): void {
    for (const statement of statements.toReversed()) {
      statement.next = this.#first
      this.#first = statement
      this.#last ??= statement
      this.#length++
    }
  }

  shift(): void {
    const first = this.#first
    if (first === null) return
    this.#first = first.next
    first.next = null
    if (this.#first === null) this.#last = null
    this.#length--
  }

  /** Fails statements that were queued before a time. @param before `performance.now()` */
  failOverdue(before: number, error: () => unknown): void {
    for (let first = this.peek(); first !== null && first.sentAt < before; first = this.peek()) {
      this.shift()
      first.fail(error())
    }
  }
}
