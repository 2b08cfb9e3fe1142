import type { Dispatcher } from 'undici'

/** Status and `Retry-After` header of the response to a webhook or chat message. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | string[] | undefined
}

export interface AskBounds {
  /** Maximum milliseconds for request and response together. */
  readonly ms: number
  /** Maximum number of response bytes to read so that the connection can be reused. */
  readonly mostBytes: number
  /** Aborts the request. A request that was not yet sent is not sent. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends one HTTP request and ignores the body of the response. It is faster than `undici.request`. A response counts as
 * soon as its headers have arrived, even if its body fails.
 * @throws an error that occurs before the headers arrive, or a DOMException TimeoutError or AbortError
 */
export function askOnce(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  bounds: AskBounds,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new AskHandler(bounds, resolve, reject))
  })
}

class AskHandler implements Dispatcher.DispatchHandler {
  readonly #bounds: AskBounds
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  readonly #stop = (): void => this.#end(new DOMException('This operation was aborted', 'AbortError'))
  #controller: Dispatcher.DispatchController | null = null
  #answer: Answer | null = null
  #bytes = 0
  /** Set when the exchange is settled. Later results are ignored. */
  #ended: Error | null = null
  #isSettled = false

  constructor(bounds: AskBounds, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.#bounds = bounds
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#end(new DOMException('It took too long', 'TimeoutError')), bounds.ms)
    if (bounds.signal?.aborted === true) this.#stop()
    else bounds.signal?.addEventListener('abort', this.#stop)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended !== null) controller.abort(this.#ended)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status >= 200) this.#answer = { status, retryAfter: headers['retry-after'] as Answer['retryAfter'] }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bounds.mostBytes) this.#end(new DOMException('There is more to read', 'AbortError'))
  }

  onResponseEnd(): void {
    this.#settle(null)
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(error)
  }

  /** Settles at once. A request that is queued for a connection is cancelled when it would begin. */
  #end(reason: Error): void {
    if (this.#isSettled) return
    this.#ended = reason
    this.#settle(reason)
    this.#controller?.abort(reason)
  }

  #settle(error: Error | null): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    this.#bounds.signal?.removeEventListener('abort', this.#stop)
    if (this.#answer !== null) this.#resolve(this.#answer)
    else this.#reject(error)
  }
}
