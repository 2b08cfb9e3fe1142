import { type Auth, type Exchange, type Scope, SvcError } from '../../../core/index.ts'
import type { Session } from '../api.ts'

interface Watched {
  readonly session: Session
  readonly ended: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly endsAt: number
  checkedAt: number
}

export interface SessionWatchParts {
  readonly enter: Scope['enter']
  /** When the credential ends by itself; `null`: it does not. */
  readonly endOf: (auth: Auth) => number | null
  readonly recheckMs: number
}

const SWEEP_MS = 500
/** Credentials that are asked about at once. */
const AT_ONCE = 50

/**
 * The credentials of connections, for as long as these last: a token ends, one is revoked, a key is taken back. They are verified
 * again by `authenticate`, as the requests that brought them, so that no rule about them is forgotten here.
 */
export class SessionWatch {
  readonly #parts: SessionWatchParts
  readonly #all = new Set<Watched>()
  readonly #timer: NodeJS.Timeout
  #isAsking = false
  #isDue = false

  constructor(parts: SessionWatchParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#timer.unref()
  }

  add(session: Session, ended: (error: unknown) => void): () => void {
    if (session.auth === null) return () => {}
    const endsAt = this.#parts.endOf(session.auth) ?? Number.POSITIVE_INFINITY
    const watched: Watched = { session, ended, endsAt, checkedAt: Date.now() }
    this.#all.add(watched)
    return () => void this.#all.delete(watched)
  }

  /** Something was revoked: all are asked about now. */
  revoked(): void {
    this.#isDue = true
    this.#sweep()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#all.clear()
  }

  #sweep(): void {
    const now = Date.now()
    for (const watched of this.#all) {
      if (watched.endsAt > now) continue
      this.#end(watched, new SvcError('UNAUTHENTICATED', 'The token has expired.', { challenge: 'invalid_token' }))
    }
    if (this.#isAsking) return
    const due = this.#isDue
      ? [...this.#all]
      : [...this.#all].filter(({ checkedAt }) => now - checkedAt >= this.#parts.recheckMs)
    this.#isDue = false
    if (due.length === 0) return
    this.#isAsking = true
    void this.#ask(due).finally(() => {
      this.#isAsking = false
      if (this.#isDue) this.#sweep()
    })
  }

  async #ask(due: readonly Watched[]): Promise<void> {
    const queue = due.values()
    const work = async (): Promise<void> => {
      for (const watched of queue) if (this.#all.has(watched)) await this.#verify(watched)
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, due.length) }, work))
  }

  async #verify(watched: Watched): Promise<void> {
    const { headers, address, auth } = watched.session
    let failure: unknown = null
    let found: Exchange['auth'] = null
    const renderError = (_ctx: Exchange, error: unknown) => {
      failure = error
      return NOTHING
    }
    // No request of a client's: nobody pays for it with a limit.
    await this.#parts.enter({ transport: 'internal', headers, address, renderError }, (ctx) => {
      found = ctx.auth
      return NOTHING
    })
    watched.checkedAt = Date.now()
    const isSame = (found as Auth | null)?.subject === auth?.subject
    if (failure === null && isSame) return
    this.#end(watched, failure ?? new SvcError('UNAUTHENTICATED', 'The credential is not valid any more.'))
  }

  #end(watched: Watched, error: unknown): void {
    if (this.#all.delete(watched)) watched.ended(error)
  }
}

const NOTHING = { status: 204, headers: {}, body: null }
