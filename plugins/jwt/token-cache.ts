import { LRUCache } from 'lru-cache'
import type { VerifiedToken } from './api.ts'

/** What a decoded token takes beside its text, roughly. */
const OVERHEAD_BYTES = 600

/** Characters of the end of a text, which is that of a signature: enough to find it by, and quick to hash. */
const KEY_LENGTH = 32

interface Kept {
  readonly text: string
  readonly token: VerifiedToken
}

/**
 * Tokens that were verified, by the text that they came as, up to their end. They are found by the end of it, and the whole
 * is compared, so that nothing but the very same token finds an entry; what is refused is not kept. To hash the whole would
 * take five times as long.
 */
export class TokenCache {
  readonly #tokens: LRUCache<string, Kept> | null
  readonly #skewSecs: number
  #generation = 0

  /** @param maxBytes 0 = keeps none */
  constructor(maxBytes: number, skewSecs: number) {
    this.#skewSecs = skewSecs
    this.#tokens =
      maxBytes === 0
        ? null
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ text }) => 3 * text.length + OVERHEAD_BYTES })
  }

  /** Goes up when what was verified has to be verified again. */
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

  /** @param generation when it began to be verified: what began before a change counts for nothing after it */
  put(text: string, token: VerifiedToken, generation: number): void {
    if (generation === this.#generation) this.#tokens?.set(text.slice(-KEY_LENGTH), { text, token })
  }

  clear(): void {
    this.#generation++
    this.#tokens?.clear()
  }
}
