import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyValueStore } from '../../core/doors/plugin.ts'
import type { Seal } from '../state-encryption/api.ts'

/** A login between start and callback. */
export interface PendingLogin {
  readonly provider: string
  readonly verifier: string
  readonly nonce: string
  /** Where it leads to in the end; `null`: its tokens are the answer. */
  readonly redirectUri: string | null
}

export interface PendingLogins {
  /**
   * @param binding a secret of the browser, without which nobody ends what it began
   * @returns the state, for the provider to hand back
   */
  begin(login: PendingLogin, binding: string): Promise<string>
  /** Once. `null`: unknown, changed, over, used, or of another browser. */
  end(state: string, binding: string | null): Promise<PendingLogin | null>
}

/**
 * Logins that are under way. The state is encrypted, so that one that was made up costs no question to the store; what
 * belongs to it lies in the store, encrypted too, and is taken out by the first who asks.
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

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What a store knows a secret by. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** @param a and b digests: of one length */
export function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
