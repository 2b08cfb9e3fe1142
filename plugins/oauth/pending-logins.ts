import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyValueStore } from '../../core/doors/plugin.ts'
import type { Seal } from '../state-encryption/api.ts'

/** A login between start and callback. */
export interface PendingLogin {
  readonly provider: string
  readonly verifier: string
  readonly nonce: string
  /** Redirect URI after the login; `null`: the reply contains the tokens. */
  readonly redirectUri: string | null
}

export interface PendingLogins {
  /**
   * Stores a login.
   * @param binding secret of the browser that starts the login. Only this browser can finish it
   * @returns the state, which the provider sends to the callback
   */
  begin(login: PendingLogin, binding: string): Promise<string>
  /** Returns a login, once. `null` when the state is unknown, modified, expired, used or belongs to another browser. */
  end(state: string, binding: string | null): Promise<PendingLogin | null>
}

/**
 * Creates the store of pending logins. The state is encrypted, so that an invented state is rejected without access to the store. The
 * login itself is stored encrypted, and the first request with its state removes it.
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

/** Returns 256 random bits as text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the digest of a secret. Stores contain only digests. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Compares two digests in constant time. */
export function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
