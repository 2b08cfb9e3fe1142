import { isDeepStrictEqual } from 'node:util'
import { settlesWithin } from '../../../core/doors/front.ts'
import { type Auth, type Exchange, type Pipeline, SvcError } from '../../../core/doors/plugin.ts'
import { isOutage } from '../hub/events-lost.ts'
import type { Session } from '../transport/subscriptions.ts'

/** Claims about the token itself, on which no right depends. Its expiry is watched separately. */
const OF_THE_TOKEN = ['iat', 'exp', 'nbf', 'jti']

interface Watched {
  readonly session: Session
  readonly ended: (error: unknown) => void
  /** Expiry of the token, in milliseconds since 1970. */
  readonly endsAt: number
  /** Time of the next verification, in milliseconds since 1970. */
  dueAt: number
  /** Time since which the credential cannot be verified; `null`: it can. */
  unknownSince: number | null
}

export interface SessionWatchParts {
  readonly enter: Pipeline['enter']
  /**
   * Returns the time in milliseconds since 1970 after which a credential is no longer accepted; `null`: it does not
   * expire.
   */
  readonly endOf: (auth: Auth) => number | null
  /** Milliseconds between two checks of a connection's credential. */
  readonly recheckMs: number
  /** Milliseconds that a connection stays open while its credential cannot be checked. Default 30,000. */
  readonly graceMs?: number
  /** Maximum duration of a check in milliseconds. Default 5000. */
  readonly verifyMs?: number
}

const SWEEP_MS = 500
const GRACE_MS = 30_000
const VERIFY_MS = 5000
/** Time between attempts while credentials cannot be verified. */
const RETRY_MS = 1000
/** Number of credentials that are verified concurrently. */
const AT_ONCE = 50

/**
 * Ends connections whose token expires or whose credential is revoked. It checks credentials regularly with the same
 * hooks as for a request.
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

  /** Verifies all credentials now, after a revocation. */
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
    // This is no request of a client, so that it does not count against rate limits.
    const asked = this.#parts.enter(
      { transport: 'internal', headers, address, deadlineMs, signal, renderError },
      (ctx) => {
        found = ctx.auth
        return NOTHING
      },
    )
    // A hook that ignores its deadline must not block the verification of other credentials.
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

  /** Schedules another attempt for a credential that could not be verified. @returns `false` when the grace time is over */
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
      // The other sessions still have to end.
      process.emitWarning(failure instanceof Error ? failure : String(failure))
    }
  }
}

function whatChanged(before: Auth | null, now: Auth | null): string {
  if (now === null || now.subject !== before?.subject) return 'The credential is not valid any more.'
  return 'What the credential allows has changed: connect again.'
}

const NOTHING = { status: 204, headers: {}, body: null }

/** Is it the same caller with the same rights: scopes, roles and all claims? */
function sameRights(before: Auth, now: Auth | null): boolean {
  if (now === before) return true
  return now !== null && isDeepStrictEqual(rightsOf(before), rightsOf(now))
}

/** The rights of a caller, as sets and maps, because a store may return them in any order. */
function rightsOf({ subject, method, scopes, roles, claims }: Auth): unknown {
  const held = Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.includes(name))
  return { subject, method, scopes: new Set(scopes), roles: new Set(roles), claims: new Map(held) }
}
