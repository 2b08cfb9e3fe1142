import type { KeyValueStore } from '../../core/index.ts'
import type { Seal } from '../state-encryption/api.ts'
import { digest, isSame, newSecret } from './pending-logins.ts'
import type { Profile } from './profile.ts'

/** What the token before this one was, for whoever ends tokens of a subject. */
export interface LastToken {
  readonly issuer: string | null
  readonly subject: string | null
  readonly jti: string | null
  readonly issuedAt: number | null
  readonly expiresAt: number
}

/** What a refresh needs. */
export interface Session {
  readonly provider: string
  readonly profile: Profile | null
  /** The provider's, where its tokens are handed on. */
  readonly refreshToken: string | null
  readonly last: LastToken
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

interface Kept extends Session {
  /** Digest of the secret that is good now, of the one before, and when that changed. */
  readonly current: string
  readonly previous: string | null
  readonly rotatedAt: number
}

/** A session in the hands of one who refreshes it. */
export interface TakenSession {
  readonly session: Session
  /** @returns the next refresh token */
  renew(session: Session): Promise<string>
  /** As it was, for who could not. */
  putBack(): Promise<void>
}

/** Two tabs refresh at once: the slower one is told no, and the session lives on. */
const GRACE_MS = 10_000

/**
 * Sessions by refresh token. A token is good once; one that comes a second time was stolen, from the one or the other, and
 * ends the session (RFC 9700, 4.14.2).
 */
export class Sessions {
  readonly #store: KeyValueStore
  readonly #seal: Seal
  readonly #now: () => number

  constructor(store: KeyValueStore, seal: Seal, now: () => number = Date.now) {
    this.#store = store
    this.#seal = seal
    this.#now = now
  }

  /** @returns the refresh token */
  async begin(session: Session): Promise<string> {
    const id = newSecret()
    return this.#keep(id, session, null)
  }

  /**
   * Takes the session out, so that nobody else refreshes it meanwhile. @returns `null`: there is none for this token
   */
  async take(token: string): Promise<TakenSession | null> {
    const [id = '', secret = '', ...rest] = token.split('.')
    if (id === '' || secret === '' || rest.length > 0) return null
    const key = digest(id)
    const kept = await this.#store.take(key)
    const text = kept === null ? null : this.#seal.open(kept, `session:${key}`)
    if (kept === null || text === null) return null
    const session = JSON.parse(text) as Kept
    const given = digest(secret)
    if (isSame(session.current, given)) {
      return {
        session,
        renew: (renewed) => this.#keep(id, renewed, session.current),
        putBack: () => this.#store.set(key, kept, this.#left(session)),
      }
    }
    const isLate = session.previous !== null && isSame(session.previous, given)
    if (isLate && this.#now() - session.rotatedAt < GRACE_MS) await this.#store.set(key, kept, this.#left(session))
    return null
  }

  /** Whatever it was: afterwards there is none. */
  async end(token: string): Promise<void> {
    await this.take(token)
  }

  async #keep(id: string, session: Session, previous: string | null): Promise<string> {
    const key = digest(id)
    const secret = newSecret()
    const kept: Kept = { ...session, current: digest(secret), previous, rotatedAt: this.#now() }
    await this.#store.set(key, this.#seal.seal(JSON.stringify(kept), `session:${key}`), this.#left(session))
    return `${id}.${secret}`
  }

  #left({ endsAt }: Session): number {
    return Math.max(1, endsAt - this.#now())
  }
}
