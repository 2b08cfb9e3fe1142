import type { TurnQueue } from './turn-queue.ts'
import type { WireSession } from './wire-session.ts'

type Listen = (payload: string) => void

/** LISTEN in the one session, with any number of listeners per channel. */
export class Listener {
  readonly #session: WireSession
  readonly #turns: TurnQueue
  readonly #channels = new Map<string, Set<Listen>>()

  constructor(session: WireSession, turns: TurnQueue) {
    this.#session = session
    this.#turns = turns
  }

  /** The SQL that a session begins with: what is listened to goes on when the engine is opened again. */
  resume(): string {
    return [...this.#channels.keys()].map((channel) => `LISTEN ${quote(channel)};`).join(' ')
  }

  notify(channel: string, payload: string): void {
    for (const listener of this.#channels.get(channel) ?? []) listener(payload)
  }

  /** @returns ends this one's listening */
  async listen(channel: string, onMessage: Listen): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, listeners)
    listeners.add(onMessage)
    await this.#run(`LISTEN ${quote(channel)}`)
    return async () => {
      listeners.delete(onMessage)
      if (listeners.size > 0 || this.#turns.closing) return
      this.#channels.delete(channel)
      await this.#run(`UNLISTEN ${quote(channel)}`)
    }
  }

  async #run(text: string): Promise<void> {
    await this.#turns.take(() => this.#session.run({ name: null, text }, []), null)
  }
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
