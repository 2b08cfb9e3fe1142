import { settlesWithin } from '../../../core/doors/front.ts'
import { type Auth, type Exchange, type Pipeline, SvcError } from '../../../core/doors/plugin.ts'
import type { Session } from '../api.ts'
import { isOutage } from '../hub/events-lost.ts'
import { sameRights } from './same-rights.ts'

interface Watched {
  readonly session: Session
  readonly ended: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly endsAt: number
  /** When it is asked about next, in milliseconds since 1970. */
  dueAt: number
  /** Since when it cannot be asked about; `null`: it can. */
  unknownSince: number | null
}

export interface SessionWatchParts {
  readonly enter: Pipeline['enter']
  /** When the credential ends by itself; `null`: it does not. */
  readonly endOf: (auth: Auth) => number | null
  readonly recheckMs: number
  /** So long a connection outlives an outage of what verifies its credential. */
  readonly graceMs?: number
  /** What has not been answered by then is not known. */
  readonly verifyMs?: number
}

const SWEEP_MS = 500
const GRACE_MS = 30_000
const VERIFY_MS = 5000
/** Between attempts, while what verifies credentials is away. */
const RETRY_MS = 1000
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
    const watched: Watched = { session, ended, endsAt, dueAt: Date.now() + this.#parts.recheckMs, unknownSince: null }
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
    const due = this.#isDue ? [...this.#all] : [...this.#all].filter(({ dueAt }) => dueAt <= now)
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
    const deadlineMs = this.#parts.verifyMs ?? VERIFY_MS
    const end = new AbortController()
    const { signal } = end
    // No request of a client's: nobody pays for it with a limit.
    const asked = this.#parts.enter(
      { transport: 'internal', headers, address, deadlineMs, signal, renderError },
      (ctx) => {
        found = ctx.auth
        return NOTHING
      },
    )
    // What does not listen to its deadline would hold up all that are asked about behind it.
    if (!(await settlesWithin(Promise.resolve(asked), 2 * deadlineMs))) {
      end.abort()
      failure = new SvcError('TIMEOUT', 'Whether the credential holds was not answered in time.')
    }
    if (isOutage(failure) && this.#bears(watched)) return
    watched.unknownSince = null
    watched.dueAt = Date.now() + this.#parts.recheckMs
    if (failure === null && auth !== null && sameRights(auth, found)) return
    this.#end(watched, failure ?? new SvcError('UNAUTHENTICATED', whatChanged(auth, found)))
  }

  /** Nobody knows. For a while it is believed, and asked about again soon. */
  #bears(watched: Watched): boolean {
    const now = Date.now()
    watched.unknownSince ??= now
    watched.dueAt = now + Math.min(RETRY_MS, this.#parts.recheckMs)
    return now - watched.unknownSince < (this.#parts.graceMs ?? GRACE_MS)
  }

  #end(watched: Watched, error: unknown): void {
    if (!this.#all.delete(watched)) return
    try {
      watched.ended(error)
    } catch (failure) {
      // Those behind it end as well.
      process.emitWarning(failure instanceof Error ? failure : String(failure))
    }
  }
}

function whatChanged(before: Auth | null, now: Auth | null): string {
  if (now === null || now.subject !== before?.subject) return 'The credential is not valid any more.'
  return 'What the credential allows has changed: connect again.'
}

const NOTHING = { status: 204, headers: {}, body: null }
