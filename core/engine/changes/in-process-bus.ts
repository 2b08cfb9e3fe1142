import mqemitter, { type Message } from 'mqemitter'

/**
 * Delivers messages to listeners in the same process, by topic. Listeners run before `publish` returns, in the order of
 * their subscription, so that messages arrive in the order in which they were published.
 */
export class InProcessBus<Messages extends object> {
  readonly #emitter = mqemitter()
  readonly #failed: (error: unknown) => void

  /** @param failed receives errors of listeners; the other listeners still receive the message */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  publish<Topic extends keyof Messages & string>(topic: Topic, value: Messages[Topic]): void {
    this.#emitter.emit({ topic, value })
  }

  /** @returns a function that unsubscribes at once */
  subscribe<Topic extends keyof Messages & string>(
    topic: Topic,
    listener: (value: Messages[Topic]) => void,
  ): () => void {
    let isOpen = true
    const notify = (message: Message, done: () => void): void => {
      try {
        // The emitter removes a listener only in a later turn of the event loop.
        if (isOpen) listener(message.value as Messages[Topic])
      } catch (error) {
        this.#failed(error)
      } finally {
        done()
      }
    }
    this.#emitter.on(topic, notify)
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#emitter.removeListener(topic, notify)
    }
  }
}
