import type { Database } from '../../../core/doors/plugin.ts'

/** Takes or renews the lease, which one relay at a time holds, by the clock of the database. */
const HOLD = {
  name: 'svc_relay_hold',
  text: `INSERT INTO svc_event_relay AS r (name, holder, held_until, position)
    VALUES ($1, $2, now() + $3::float8 * interval '1 ms', 0)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
      position = CASE WHEN r.holder = excluded.holder THEN greatest(r.position, $4::bigint) ELSE r.position END
    WHERE r.holder = excluded.holder OR r.holder IS NULL OR r.held_until < now()
    RETURNING position::text`,
} as const
const RELEASE = {
  name: 'svc_relay_release',
  text: `UPDATE svc_event_relay SET holder = NULL, held_until = '-infinity', position = greatest(position, $3::bigint)
    WHERE name = $1 AND holder = $2`,
} as const

const NAME = 'observers'

/**
 * A lock with a time limit in the table `svc_event_relay`. The process that holds it is the active one, which delivers
 * events.
 */
export class Lease {
  readonly #database: () => Database
  readonly holder: string
  readonly #ms: number
  #validUntil = 0
  #turn = new AbortController()
  #lapse: NodeJS.Timeout | null = null

  constructor(database: () => Database, holder: string, ms: number) {
    this.#database = database
    this.holder = holder
    this.#turn.abort()
    this.#ms = ms
  }

  /** Is the lease held? Its time counts from before the request, so that a process that was suspended meanwhile notices the expiry. */
  get isHeld(): boolean {
    return performance.now() < this.#validUntil
  }

  /** A signal that is aborted when the lease is lost, so that running deliveries stop. */
  get turn(): AbortSignal {
    // After a process was suspended, this may run before its timers do.
    if (!this.isHeld) this.#end()
    return this.#turn.signal
  }

  /**
   * Takes or renews the lease, and stores the position of this process.
   * @returns the position to continue from; `null`: another process holds the lease
   */
  async hold(position: string): Promise<string | null> {
    const asked = performance.now()
    const parameters = [NAME, this.holder, String(this.#ms), position]
    const { rows } = await this.#database().query(HOLD, parameters, null)
    const [row] = rows
    if (row === undefined) this.#end()
    else this.#prolong(asked + this.#ms)
    return row?.[0] ?? null
  }

  async release(position: string): Promise<void> {
    this.#end()
    await this.#database().query(RELEASE, [NAME, this.holder, position], null)
  }

  #prolong(until: number): void {
    if (this.#turn.signal.aborted) this.#turn = new AbortController()
    this.#validUntil = until
    if (this.#lapse !== null) clearTimeout(this.#lapse)
    this.#lapse = setTimeout(() => this.#end(), Math.max(0, until - performance.now()))
    this.#lapse.unref()
  }

  #end(): void {
    this.#validUntil = 0
    if (this.#lapse !== null) clearTimeout(this.#lapse)
    this.#lapse = null
    this.#turn.abort()
  }
}
