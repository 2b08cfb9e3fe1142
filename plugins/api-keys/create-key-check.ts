import { LRUCache } from 'lru-cache'
import type { Auth } from '../../core/doors/plugin.ts'
import { digestOf, idOf, isKey, isSame, readSha256, sha256Hash } from './key-format.ts'
import type { SlowHashes } from './slow-hashes.ts'
import type { KeyStore, StoredKey } from './stored-key.ts'

const MOST_KEPT = 10_000

export interface KeyCheckOptions {
  /** Value of `auth.method` for callers that authenticate with an API key. */
  readonly method: string
  readonly recheckMs: number
  readonly now?: () => number
}

interface Kept {
  readonly stored: StoredKey
  readonly auth: Auth
  askedAt: number
}

/**
 * Authenticates an API key.
 * @returns the caller that the key identifies; `null` for an unknown, expired or revoked key
 * @throws SvcError SERVICE_UNAVAILABLE when the key store is unavailable or too many keys are being verified
 */
export type KeyCheck = (key: string) => Promise<Auth | null>

export function createKeyCheck(
  store: KeyStore,
  slow: SlowHashes,
  { method, recheckMs, now = Date.now }: KeyCheckOptions,
): KeyCheck {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT })

  async function matches(stored: StoredKey, key: string, digest: Buffer): Promise<boolean> {
    const known = readSha256(stored.hash)
    if (known !== null) return isSame(known, digest)
    return stored.hash.startsWith('$argon2') && slow.verify(stored.hash, key, digest)
  }

  async function findStored(key: string, digest: Buffer, sha256: string): Promise<StoredKey | null> {
    let found: StoredKey | null = null
    // Compares all candidates, so that the time does not reveal which one matched.
    for (const stored of await store.find(idOf(key), sha256)) {
      if (await matches(stored, key, digest)) found ??= stored
    }
    return found
  }

  return async (key) => {
    if (!isKey(key)) return null
    const digest = digestOf(key)
    const sha256 = sha256Hash(digest)
    const before = kept.get(sha256)
    if (before !== undefined && now() - before.askedAt < recheckMs) return before.auth
    const askedAt = now()
    const stored = await findStored(key, digest, sha256)
    if (stored === null) {
      kept.delete(sha256)
      return null
    }
    // Returns the same object for the same key, so that data cached by this object stays valid.
    const auth = before !== undefined && isEqual(before.stored, stored) ? before.auth : toAuth(stored, method)
    kept.set(sha256, { stored, auth, askedAt })
    return auth
  }
}

function isEqual(one: StoredKey, other: StoredKey): boolean {
  return one.name === other.name && one.scopes.join('\0') === other.scopes.join('\0')
}

/** Converts a key to a caller. A key has scopes, but no roles and no claims. */
function toAuth({ name, scopes }: StoredKey, method: string): Auth {
  return Object.freeze({
    subject: `apikey:${name}`,
    claims: Object.freeze({}),
    scopes: Object.freeze([...scopes]),
    roles: Object.freeze([]),
    method,
  })
}
