import { setTimeout as pause } from 'node:timers/promises'
import { type KeyValueStore, SvcError } from '../../core/doors/plugin.ts'
import type { Seal } from '../state-encryption/api.ts'
import { digest, isSame, newSecret } from './pending-logins.ts'
import type { Profile } from './profile.ts'

/** What the token before this one was, for whoever ends tokens of a subject. */
export interface LastToken {
  readonly issuer: string | null
  readonly subject: string | null
  readonly jti: string | null
  readonly issuedAt: number | null
  readonly ownClock: boolean
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
  /** Where it is found by the tokens that it gave, the oldest first. */
  readonly names?: readonly string[]
}

/** What a refresh gives, to whoever asked for it with the same token. */
export interface Refreshed<T> {
  readonly result: T
  readonly refreshToken: string
  readonly endsAt: number
}

export interface SessionsOptions {
  readonly store: KeyValueStore
  /** By which token a session is found: {@link MOST_NAMES} for each, beside the sessions, so that they take no room of those. */
  readonly names: KeyValueStore
  readonly seal: Seal
  /** A session ended before its last token did. */
  readonly ended: (last: LastToken) => Promise<void>
  readonly now?: () => number
}

/** Tokens by which one session is found, the last ones: whoever refreshes all day fills nobody's memory. */
export const MOST_NAMES = 8
/** Two tabs refresh at once: the slower one is given what the quicker one was. */
const GRACE_MS = 10_000
/** Longest that one refresh has the session for itself, and how the others wait. */
const LOCK_MS = 30_000
const WAIT_MS = 10_000
const POLL_MS = 25
/** How long it is remembered that a session is over: longer than any refresh of it may still be under way. */
const OVER_MS = 10 * LOCK_MS
/** A token is let in for so long after its end. */
const SKEW_MS = 60_000

/**
 * Sessions by refresh token. A token is good once; one that comes a second time, later than two tabs would, was stolen, from
 * the one or the other, and ends the session (RFC 9700, 4.14.2). Whoever ends a session is believed before whoever refreshes it.
 */
export class Sessions {
  readonly #store: KeyValueStore
  readonly #names: KeyValueStore
  readonly #seal: Seal
  readonly #ended: SessionsOptions['ended']
  readonly #now: () => number
  /** Of this process, by session and digest of the secret: who asks for the same waits for the same. */
  readonly #underWay = new Map<string, Promise<unknown>>()

  constructor({ store, names, seal, ended, now = Date.now }: SessionsOptions) {
    this.#store = store
    this.#names = names
    this.#seal = seal
    this.#ended = ended
    this.#now = now
  }

  /** @returns the refresh token */
  async begin(session: Session): Promise<string> {
    const [id, secret] = [newSecret(), newSecret()]
    await this.#keep(digest(id), { ...session, current: digest(secret), previous: null, rotatedAt: this.#now() })
    return `${id}.${secret}`
  }

  /**
   * @param work what is done with the session, by one at a time; where it fails the session stays what it was. Its result is JSON
   * @returns `null`: there is no session for this token, or it ended meanwhile
   * @throws what `work` throws; SvcError SERVICE_UNAVAILABLE: somebody else is at it for too long
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

  /** Whatever it was: afterwards there is none, nor any that is being refreshed. */
  async end(token: string): Promise<void> {
    const parts = parse(token)
    const kept = parts === null ? null : await this.#read(parts.key)
    if (parts !== null && kept !== null) await this.#end(parts.key, kept)
  }

  /** The session that gave this token, lately or before; of a token without a name nobody knows it. */
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
          // Afterwards it is somebody else's.
          if (this.#now() - at < LOCK_MS) await this.#store.delete(lock)
        }
      }
      if (this.#now() >= until) throw busy()
      await pause(POLL_MS)
    }
  }

  /** With the lock. @param at when it was taken */
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
    // Before the session, so that who finds that one changed finds this, too.
    await this.#store.set(`${key}:next`, this.#seal.seal(JSON.stringify(refreshed), nextOf(key, given)), GRACE_MS)
    const renewed = { ...next, current: digest(secret), previous: kept.current, rotatedAt: this.#now() }
    await this.#keep(key, renewed, kept.names)
    // Whoever ends it says so first and takes it out then: one of the two sees the other.
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

  /** @param before its names so far */
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

/** Of a refresh token: `<id>.<secret>`. */
interface Parts {
  readonly id: string
  /** Where the session is kept. */
  readonly key: string
  /** Digest of the secret. */
  readonly given: string
}

function parse(token: string): Parts | null {
  const [id = '', secret = '', ...rest] = token.split('.')
  return id === '' || secret === '' || rest.length > 0 ? null : { id, key: digest(id), given: digest(secret) }
}

/** Under which it is kept whose session a token is of. */
function nameOf({ issuer, jti }: LastToken): string | null {
  return jti === null ? null : `of:${digest(JSON.stringify([issuer, jti]))}`
}

/** What the next token is sealed with: no use to who did not bring the one before. */
function nextOf(key: string, given: string): string {
  return `next:${key}:${given}`
}

function busy(): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', 'This session is being refreshed. Try again.', { retryAfter: 1 })
}
