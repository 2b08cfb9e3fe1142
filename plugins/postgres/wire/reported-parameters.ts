import type pg from 'pg'

interface StatusMessage {
  readonly parameterName: string
  readonly parameterValue: string
}
interface StatusSource {
  on(event: 'parameterStatus', listener: (message: StatusMessage) => void): void
}

/**
 * The settings that the server reports of its own accord: TimeZone, DateStyle, IntervalStyle, session_authorization,
 * is_superuser, default_transaction_read_only and more. They are what the session began with, or somebody has changed them.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export class ReportedParameters {
  readonly #initial = new Map<string, string>()
  readonly #changed = new Set<string>()
  #begun = false

  /** @param client not connected yet */
  constructor(client: pg.Client) {
    const { connection } = client as unknown as { readonly connection: StatusSource }
    connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }) => {
      if (!this.#begun) this.#initial.set(name, value)
      else if (this.#initial.get(name) === value) this.#changed.delete(name)
      else this.#changed.add(name)
    })
    client.once('connect', () => {
      this.#begun = true
    })
  }

  /** Is any of them another one than at the beginning of the session? */
  get areChanged(): boolean {
    return this.#changed.size > 0
  }
}
