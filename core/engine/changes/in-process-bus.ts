import mqemitter, { type Message } from 'mqemitter'

/**
 * Messages within one process, by topic. They reach listeners in the order of their subscription, before `publish` returns, so that what is
 * published in order is heard in order.
 */
export class InProcessBus<Messages extends object> {
  readonly #emitter = mqemitter()
  readonly #failed: (error: unknown) => void

  /** @param failed is called with what a listener throws; the others hear the message */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  publish<Topic extends keyof Messages & string>(topic: Topic, value: Messages[Topic]): void {
    this.#emitter.emit({ topic, value })
  }

  /** @returns ends it at once */
  subscribe<Topic extends keyof Messages & string>(
    topic: Topic,
    listener: (value: Messages[Topic]) => void,
  ): () => void {
    let isOpen = true
    const notify = (message: Message, done: () => void): void => {
      try {
        // The emitter forgets a listener in a later turn of the event loop.
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
