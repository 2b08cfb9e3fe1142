import type { Database } from '../../../core/doors/plugin.ts'

/** One relay at a time, told by the database's clock. */
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

/** The right to deliver, for a while. */
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

  /** Counted from before it was asked for, so that a process that was stopped meanwhile knows that it is late. */
  get isHeld(): boolean {
    return performance.now() < this.#validUntil
  }

  /** Aborted as soon as it is not held any more: what is on its way then must not go on. */
  get turn(): AbortSignal {
    // A process that was stopped comes here before its timers do.
    if (!this.isHeld) this.#end()
    return this.#turn.signal
  }

  /**
   * Takes or prolongs it, and keeps how far this process is.
   * @returns the position to go on from; `null`: another process has it
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
