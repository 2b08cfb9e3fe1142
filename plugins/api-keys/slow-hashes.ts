import { LRUCache } from 'lru-cache'
import { importPackages, SvcError } from '../../core/doors/plugin.ts'
import { ARGON2_PACKAGE } from './packages.ts'

/** Maximum number of concurrent hashes. The thread pool has four threads, which other tasks need too. */
const AT_ONCE = 2
const MOST_WAITING = 100
/** Number of cached verifications, so that a key costs 20 ms only once. The row is read for each request. */
const MOST_KEPT = 1000

type Library = Pick<typeof import('@node-rs/argon2'), 'hash' | 'verify'>

/**
 * Hashes and verifies API keys with argon2id, which is slow by design. Only two hashes are computed at a time, and
 * successful verifications are cached.
 */
export class SlowHashes {
  readonly #verdicts = new LRUCache<string, true>({ max: MOST_KEPT })
  readonly #waiting: (() => void)[] = []
  #running = 0
  #library: Promise<Library> | null = null

  /** Loads the library. @throws SvcError SVC_PACKAGE_MISSING when its package is not installed */
  load(): Promise<Library> {
    this.#library ??= importPackages('api-keys', ARGON2_PACKAGE, () => import('@node-rs/argon2'))
    return this.#library
  }

  async hash(key: string): Promise<string> {
    const { hash } = await this.load()
    return this.#take(() => hash(key))
  }

  /** Verifies a key. @param digest digest of the key, for the cache, which does not contain the key */
  async verify(hash: string, key: string, digest: Buffer): Promise<boolean> {
    const known = `${digest.toString('base64')} ${hash}`
    if (this.#verdicts.has(known)) return true
    const { verify } = await this.load()
    // An invalid hash matches no key.
    const isRight = await this.#take(() => verify(hash, key).catch(() => false))
    if (isRight) this.#verdicts.set(known, true)
    return isRight
  }

  async #take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) {
        throw new SvcError('SERVICE_UNAVAILABLE', 'Too many keys are being verified.', { retryAfter: 1 })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }
}
