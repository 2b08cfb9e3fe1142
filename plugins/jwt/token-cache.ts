import { LRUCache } from 'lru-cache'
import type { VerifiedToken } from './api.ts'

/** Approximate memory of a decoded token, besides its text. */
const OVERHEAD_BYTES = 600

/** Length of the cache key: the last characters of the token, which belong to the signature. They are unique enough and fast to hash. */
const KEY_LENGTH = 32

interface Kept {
  readonly text: string
  readonly token: VerifiedToken
}

/**
 * Caches verified JWTs until they expire, so that a repeated token costs no signature check. Rejected tokens are not
 * cached. A look-up by the end of the token and a comparison of the whole token is five times as fast as a hash.
 */
export class TokenCache {
  readonly #tokens: LRUCache<string, Kept> | null
  readonly #skewSecs: number
  #generation = 0

  /** @param maxBytes 0 = no cache */
  constructor(maxBytes: number, skewSecs: number) {
    this.#skewSecs = skewSecs
    this.#tokens =
      maxBytes === 0
        ? null
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ text }) => 3 * text.length + OVERHEAD_BYTES })
  }

  /** Increases when all tokens must be verified again. */
  get generation(): number {
    return this.#generation
  }

  get size(): number {
    return this.#tokens?.size ?? 0
  }

  get(text: string): VerifiedToken | undefined {
    const kept = this.#tokens?.get(text.slice(-KEY_LENGTH))
    if (kept === undefined || kept.text !== text) return undefined
    if (Date.now() < (kept.token.expiresAt + this.#skewSecs) * 1000) return kept.token
    this.#tokens?.delete(text.slice(-KEY_LENGTH))
    return undefined
  }

  /** Adds a token. @param generation generation at the start of its verification: a token of an older generation is dropped */
  put(text: string, token: VerifiedToken, generation: number): void {
    if (generation === this.#generation) this.#tokens?.set(text.slice(-KEY_LENGTH), { text, token })
  }

  clear(): void {
    this.#generation++
    this.#tokens?.clear()
  }
}
