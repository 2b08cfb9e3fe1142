import { isRequestId, type RequestId } from './protocol/message.ts'

/** Requests that are being answered, so that their clients can take them back. */
export class Running {
  readonly #ends = new Map<string, () => void>()

  /**
   * @param session whose request it is: ids are unique in a session
   * @returns to be called when it is answered
   */
  start(session: string, id: RequestId, abort: () => void): () => void {
    const key = keyOf(session, id)
    this.#ends.set(key, abort)
    return () => {
      if (this.#ends.get(key) === abort) this.#ends.delete(key)
    }
  }

  /** @param id as the client sent it */
  cancel(session: string, id: unknown): void {
    if (isRequestId(id)) this.#ends.get(keyOf(session, id))?.()
  }

  get size(): number {
    return this.#ends.size
  }
}

function keyOf(session: string, id: RequestId): string {
  return `${session} ${JSON.stringify(id)}`
}
