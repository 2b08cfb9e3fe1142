import { isRequestId, type RequestId } from './message.ts'

/** MCP requests in progress, so that clients can cancel them. */
export class Running {
  readonly #ends = new Map<string, () => void>()

  /**
   * Adds a request.
   * @param session session of the request: ids are unique in a session
   * @returns a function to call when the response is complete
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
