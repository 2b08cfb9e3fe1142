import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyValueStore } from '../../core/doors/plugin.ts'
import type { Seal } from '../state-encryption/api.ts'

/** A login that has started and whose callback from the provider has not arrived. */
export interface PendingLogin {
  readonly provider: string
  readonly verifier: string
  readonly nonce: string
  /** URL to which the browser is redirected after the login; `null`: the reply of the callback contains the tokens. */
  readonly redirectUri: string | null
}

export interface PendingLogins {
  /**
   * Stores a login that has started.
   * @param binding secret of the browser that starts the login, without which it cannot be finished
   * @returns the `state` parameter, which the provider sends back in the callback
   */
  begin(login: PendingLogin, binding: string): Promise<string>
  /**
   * Removes a started login and returns it.
   * @param state `state` parameter of the callback
   * @param binding secret of the browser; `null`: the browser sent none
   * @returns `null` when the state is unknown, modified, expired or used, or belongs to another browser
   */
  end(state: string, binding: string | null): Promise<PendingLogin | null>
}

/**
 * Creates the store of started logins. The `state` parameter is encrypted, so that svc rejects an invented one without
 * access to the store. The stored logins are encrypted too.
 * @param seal encrypts texts
 * @param ttlMs time in milliseconds to finish a login
 */
export function createPendingLogins(
  store: KeyValueStore,
  seal: Seal,
  ttlMs: number,
  now: () => number = Date.now,
): PendingLogins {
  return {
    async begin(login, binding) {
      const id = newSecret()
      const key = digest(id)
      await store.set(key, seal.seal(JSON.stringify({ ...login, bound: digest(binding) }), `login:${key}`), ttlMs)
      return seal.seal(JSON.stringify([id, now() + ttlMs]), 'state')
    },
    async end(state, binding) {
      const opened = seal.open(state, 'state')
      if (opened === null) return null
      const [id, endsAt] = JSON.parse(opened) as [string, number]
      if (now() >= endsAt) return null
      const key = digest(id)
      const kept = await store.take(key)
      const text = kept === null ? null : seal.open(kept, `login:${key}`)
      if (text === null) return null
      const { bound, ...login } = JSON.parse(text) as PendingLogin & { readonly bound: string }
      return binding !== null && isSame(bound, digest(binding)) ? login : null
    },
  }
}

/** Returns 256 random bits as base64url text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 digest of a secret as base64url text. Stores contain digests instead of secrets. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Compares two digests in constant time. The result is `false` for different lengths. */
export function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
