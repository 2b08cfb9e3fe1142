import type { Dispatcher } from 'undici'

/** The parts of a response that are evaluated. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | string[] | undefined
}

export interface AskBounds {
  /** From now until the whole answer is there. */
  readonly ms: number
  /** Bytes of the answer that are read, so that its connection can be used again. */
  readonly mostBytes: number
  /** Ends it before its time: what has not gone out does not go. */
  readonly signal?: AbortSignal | undefined
}

/**
 * One request and its answer, of which nobody reads the body. Without the streams and promises of `undici.request`, which cost
 * more than the rest of a call. An answer whose head came is one, whatever becomes of its body.
 * @throws what went wrong before there was a status; DOMException TimeoutError, AbortError
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
  /** It is settled: what comes now comes too late. */
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

  /** Waits for nobody: a request that stands behind others for a connection hears of it when it would begin. */
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
