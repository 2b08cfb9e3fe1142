import type pg from 'pg'
import { HeldWrites } from './carrier.ts'

interface StatusMessage {
  readonly parameterName: string
  readonly parameterValue: string
}
interface StatusSource {
  on(event: 'parameterStatus', listener: (message: StatusMessage) => void): void
}

const READ_ONLY = ['default_transaction_read_only', 'in_hot_standby'] as const

/**
 * The settings that the server reports of its own accord: TimeZone, DateStyle, IntervalStyle, session_authorization,
 * is_superuser, default_transaction_read_only and more. They are what the session began with, or somebody has changed them.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export class ReportedParameters {
  readonly #initial = new Map<string, string>()
  readonly #now = new Map<string, string>()
  readonly #changed = new Set<string>()
  #begun = false
  #isDistrusted = false
  /** Called when the server reports another value than that of the beginning. */
  onChange: () => void = () => {}

  /** @param client not connected yet */
  constructor(client: pg.Client) {
    const { connection } = client as unknown as { readonly connection: StatusSource }
    connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }) => {
      this.#now.set(name, value)
      if (!this.#begun) this.#initial.set(name, value)
      else if (this.#initial.get(name) === value) this.#changed.delete(name)
      else {
        this.#changed.add(name)
        this.onChange()
      }
    })
    client.once('connect', () => {
      this.#begun = true
    })
  }

  /** Is every transaction of the session a read-only one, as the server reports it (PostgreSQL 14 and later)? */
  get isReadOnly(): boolean {
    return READ_ONLY.some((name) => this.#now.get(name) === 'on')
  }

  /** The same, or the server is one that does not report it. */
  get mayBeReadOnly(): boolean {
    return this.isReadOnly || !READ_ONLY.some((name) => this.#now.has(name))
  }

  /** Is any of them another one than at the beginning of the session? */
  get areChanged(): boolean {
    return this.#isDistrusted || this.#changed.size > 0
  }

  /** Treats the settings as changed, whatever the server reports. */
  distrust(): void {
    this.#isDistrusted = true
  }
}

/** A session as far as its server reports what has become of it. */
export class ReportingSession extends HeldWrites {
  broken = false
  /** Its settings are not ours any more: nobody gets it, and it is closed when what is in flight has ended. */
  spoilt = false
  protected readonly reported: ReportedParameters

  constructor(reported: ReportedParameters) {
    super()
    this.reported = reported
  }

  get isTrusted(): boolean {
    return !this.broken && !this.spoilt && !this.reported.areChanged
  }

  /** Does the server take no writes, as far as it says? */
  get isReadOnly(): boolean {
    return this.reported.isReadOnly
  }

  /** As if a setting had changed: it is closed when the statement or the transaction on it ends. */
  distrust(): void {
    this.reported.distrust()
  }
}
