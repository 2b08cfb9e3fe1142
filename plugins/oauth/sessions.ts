import { setTimeout as pause } from 'node:timers/promises'
import { type KeyValueStore, SvcError } from '../../core/doors/plugin.ts'
import type { Seal } from '../state-encryption/api.ts'
import { digest, isSame, newSecret } from './pending-logins.ts'
import type { Profile } from './profile.ts'

/** Claims of the latest access token of a session, to check whether the token was revoked. */
export interface LastToken {
  readonly issuer: string | null
  readonly subject: string | null
  readonly jti: string | null
  readonly issuedAt: number | null
  readonly ownClock: boolean
  readonly expiresAt: number
}

/** State of a login session, which a refresh needs. It is stored encrypted. */
export interface Session {
  readonly provider: string
  readonly profile: Profile | null
  /** Refresh token of the provider, if svc passes on the provider's tokens; otherwise `null`. */
  readonly refreshToken: string | null
  readonly last: LastToken
  /** End of the session, in milliseconds since 1970. */
  readonly endsAt: number
}

interface Kept extends Session {
  /** Digests of the valid secret and of the previous one, and the time of the change. */
  readonly current: string
  readonly previous: string | null
  readonly rotatedAt: number
  /** Keys of its access tokens in the store of names, oldest first. */
  readonly names?: readonly string[]
}

/** The result of a session refresh. Concurrent requests with the same refresh token receive the same result. */
export interface Refreshed<T> {
  readonly result: T
  readonly refreshToken: string
  readonly endsAt: number
}

export interface SessionsOptions {
  readonly store: KeyValueStore
  /** Finds a session by the id of its access token. A separate store, so that its entries cannot evict sessions. */
  readonly names: KeyValueStore
  readonly seal: Seal
  /** Called when a session ends before its latest access token has expired, to revoke this token. */
  readonly ended: (last: LastToken) => Promise<void>
  readonly now?: () => number
}

/** Number of latest access tokens per session by which the session can be found. A limit for memory. */
export const MOST_NAMES = 8
/** Time in which a second request with the same refresh token gets the result of the first, as from two tabs. */
const GRACE_MS = 10_000
/** Maximum duration of the lock of a refresh. Other requests wait for it. */
const LOCK_MS = 30_000
const WAIT_MS = 10_000
const POLL_MS = 25
/** Time for which an ended session is remembered: longer than any refresh in progress. */
const OVER_MS = 10 * LOCK_MS
/** Clock tolerance: a token is accepted for this time after it expires. */
const SKEW_MS = 60_000

/**
 * Login sessions by refresh token. A refresh token is valid once. A second use after a short time means that it was
 * stolen, and ends the session (RFC 9700, 4.14.2).
 */
export class Sessions {
  readonly #store: KeyValueStore
  readonly #names: KeyValueStore
  readonly #seal: Seal
  readonly #ended: SessionsOptions['ended']
  readonly #now: () => number
  /** Refreshes in progress in this process, by session and digest of the secret. Requests with the same token share one. */
  readonly #underWay = new Map<string, Promise<unknown>>()

  constructor({ store, names, seal, ended, now = Date.now }: SessionsOptions) {
    this.#store = store
    this.#names = names
    this.#seal = seal
    this.#ended = ended
    this.#now = now
  }

  /** Stores a session. @returns the refresh token */
  async begin(session: Session): Promise<string> {
    const [id, secret] = [newSecret(), newSecret()]
    await this.#keep(digest(id), { ...session, current: digest(secret), previous: null, rotatedAt: this.#now() })
    return `${id}.${secret}`
  }

  /**
   * Refreshes a session.
   * @param work refreshes the session, under a lock. If it fails, the session is unchanged. Its result must be JSON
   * @returns `null` when the token has no session, or the session ended meanwhile
   * @throws errors of `work`; SvcError SERVICE_UNAVAILABLE when another request holds the lock for too long
   */
  refresh<T>(
    token: string,
    work: (session: Session) => Promise<{ readonly result: T; readonly next: Session }>,
  ): Promise<Refreshed<T> | null> {
    const parts = parse(token)
    if (parts === null) return Promise.resolve(null)
    const name = `${parts.key} ${parts.given}`
    const underWay = this.#underWay.get(name)
    if (underWay !== undefined) return underWay as Promise<Refreshed<T> | null>
    const started = this.#inTurn(parts, work).finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, started)
    return started
  }

  /** Ends the session of a refresh token, even during a refresh. */
  async end(token: string): Promise<void> {
    const parts = parse(token)
    const kept = parts === null ? null : await this.#read(parts.key)
    if (parts !== null && kept !== null) await this.#end(parts.key, kept)
  }

  /** Ends the session that issued an access token. A token without a name (`jti`) has no known session. */
  async endOf(token: LastToken): Promise<void> {
    const name = nameOf(token)
    const key = name === null ? null : await this.#names.take(name)
    const kept = key === null ? null : await this.#read(key)
    if (key !== null && kept !== null) await this.#end(key, kept)
  }

  async #inTurn<T>(parts: Parts, work: Parameters<typeof this.refresh<T>>[1]): Promise<Refreshed<T> | null> {
    const { key, given } = parts
    const until = this.#now() + WAIT_MS
    for (;;) {
      const kept = await this.#read(key)
      if (kept === null) return null
      if (!isSame(kept.current, given)) return this.#late(parts, kept)
      const lock = `${key}:lock`
      const at = this.#now()
      if (await this.#store.add(lock, '1', LOCK_MS)) {
        try {
          return await this.#rotate(parts, work, at)
        } finally {
          // After this time the lock belongs to another request.
          if (this.#now() - at < LOCK_MS) await this.#store.delete(lock)
        }
      }
      if (this.#now() >= until) throw busy()
      await pause(POLL_MS)
    }
  }

  /** Rotates the refresh token, under the lock. @param at time at which the lock was taken */
  async #rotate<T>(
    { id, key, given }: Parts,
    work: Parameters<typeof this.refresh<T>>[1],
    at: number,
  ): Promise<Refreshed<T> | null> {
    const kept = await this.#read(key)
    if (kept === null) return null
    if (!isSame(kept.current, given)) return this.#late({ id, key, given }, kept)
    const { result, next } = await work(kept)
    if (this.#now() - at >= LOCK_MS) {
      await this.#ended(next.last)
      throw busy()
    }
    const secret = newSecret()
    const refreshed = { result, refreshToken: `${id}.${secret}`, endsAt: next.endsAt }
    // Stored before the session, so that a request that finds the changed session finds the result too.
    await this.#store.set(`${key}:next`, this.#seal.seal(JSON.stringify(refreshed), nextOf(key, given)), GRACE_MS)
    const renewed = { ...next, current: digest(secret), previous: kept.current, rotatedAt: this.#now() }
    await this.#keep(key, renewed, kept.names)
    // The end of a session first sets this mark and then removes the session, so one of both requests notices the other.
    if ((await this.#store.get(`${key}:over`)) === null) return refreshed
    await this.#end(key, { ...kept, ...next })
    return null
  }

  async #late<T>({ key, given }: Parts, kept: Kept): Promise<Refreshed<T> | null> {
    const isTwin = kept.previous !== null && isSame(kept.previous, given) && this.#now() - kept.rotatedAt < GRACE_MS
    if (!isTwin) {
      await this.#end(key, kept)
      return null
    }
    const sealed = await this.#store.get(`${key}:next`)
    const text = sealed === null ? null : this.#seal.open(sealed, nextOf(key, given))
    return text === null ? null : (JSON.parse(text) as Refreshed<T>)
  }

  async #end(key: string, known: Session): Promise<void> {
    await this.#store.set(`${key}:over`, '1', OVER_MS)
    const taken = await this.#store.take(key)
    await this.#store.delete(`${key}:next`)
    const gone = taken === null ? null : this.#open(key, taken)
    await Promise.all((gone?.names ?? []).map((name) => this.#names.delete(name)))
    await this.#ended((gone ?? known).last)
  }

  async #read(key: string): Promise<Kept | null> {
    const sealed = await this.#store.get(key)
    return sealed === null ? null : this.#open(key, sealed)
  }

  #open(key: string, sealed: string): Kept | null {
    const text = this.#seal.open(sealed, `session:${key}`)
    return text === null ? null : (JSON.parse(text) as Kept)
  }

  /** Stores a session. @param before names of the session so far */
  async #keep(key: string, kept: Kept, before: readonly string[] = []): Promise<void> {
    const now = this.#now()
    const left = Math.max(1, kept.endsAt - now)
    const name = nameOf(kept.last)
    const all = name === null ? before : [...before.filter((one) => one !== name), name]
    const text = JSON.stringify({ ...kept, names: all.slice(-MOST_NAMES) })
    await this.#store.set(key, this.#seal.seal(text, `session:${key}`), left)
    await Promise.all(all.slice(0, -MOST_NAMES).map((old) => this.#names.delete(old)))
    const usable = Math.min(left, kept.last.expiresAt * 1000 + SKEW_MS - now)
    if (name !== null && usable > 0) await this.#names.set(name, key, usable)
  }
}

/** Parts of a refresh token `<id>.<secret>`. */
interface Parts {
  readonly id: string
  /** Key of the session in the store. */
  readonly key: string
  /** Digest of the secret of the token. */
  readonly given: string
}

function parse(token: string): Parts | null {
  const [id = '', secret = '', ...rest] = token.split('.')
  return id === '' || secret === '' || rest.length > 0 ? null : { id, key: digest(id), given: digest(secret) }
}

/** Returns the key by which the session of an access token is found; `null`: none. */
function nameOf({ issuer, jti }: LastToken): string | null {
  return jti === null ? null : `of:${digest(JSON.stringify([issuer, jti]))}`
}

/** Returns the sealing context of the next token, which only a caller with the previous token knows. */
function nextOf(key: string, given: string): string {
  return `next:${key}:${given}`
}

function busy(): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', 'This session is being refreshed. Try again.', { retryAfter: 1 })
}
