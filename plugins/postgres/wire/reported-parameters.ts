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
 * Tracks the settings of a session whose changes PostgreSQL reports on its own, such as TimeZone, and compares them
 * with their values at the start of the session.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export class ReportedParameters {
  readonly #initial = new Map<string, string>()
  readonly #now = new Map<string, string>()
  readonly #changed = new Set<string>()
  #begun = false
  #isDistrusted = false
  /** Called when the server reports a value that differs from the value at the start of the session. */
  onChange: () => void = () => {}

  /** @param client a client that is not connected yet */
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

  /** Value of a reported setting at the start of the session. */
  initial(name: string): string | undefined {
    return this.#initial.get(name)
  }

  /** Is the session read-only by default, as the server reports it (PostgreSQL 14 and later)? */
  get isReadOnly(): boolean {
    return READ_ONLY.some((name) => this.#now.get(name) === 'on')
  }

  /** Like `isReadOnly`, but also true for a server that does not report it. */
  get mayBeReadOnly(): boolean {
    return this.isReadOnly || !READ_ONLY.some((name) => this.#now.has(name))
  }

  /** Does any setting differ from its value at the start of the session? */
  get areChanged(): boolean {
    return this.#isDistrusted || this.#changed.size > 0
  }

  /** Treats the settings as changed, regardless of the reported values. */
  distrust(): void {
    this.#isDistrusted = true
  }
}

/**
 * Part of a connection that notices when a statement has changed settings of the session, through the reports of the
 * server.
 */
export class ReportingSession extends HeldWrites {
  broken = false
  /** Is the session unusable, e.g. because its settings have changed? It is closed when the statements in flight have ended. */
  spoilt = false
  protected readonly reported: ReportedParameters

  constructor(reported: ReportedParameters) {
    super()
    this.reported = reported
  }

  get isTrusted(): boolean {
    return !this.broken && !this.spoilt && !this.reported.areChanged
  }

  /** Is the session read-only, as far as the server reports it? */
  get isReadOnly(): boolean {
    return this.reported.isReadOnly
  }

  /** Treats the settings as changed: the session is closed when its statement or transaction ends. */
  distrust(): void {
    this.reported.distrust()
  }
}
