import { LRUCache } from 'lru-cache'
import type { VerifiedToken } from './api.ts'

/** What a decoded token takes beside its text, roughly. */
const OVERHEAD_BYTES = 600

/**
 * Tokens that were verified, by the text that they came as, up to their end. The whole text is compared, so that nothing but
 * the very same token finds an entry; what is refused is not kept.
 */
export class TokenCache {
  readonly #tokens: LRUCache<string, VerifiedToken> | null
  readonly #skewSecs: number
  #generation = 0

  /** @param maxBytes 0 = keeps none */
  constructor(maxBytes: number, skewSecs: number) {
    this.#skewSecs = skewSecs
    this.#tokens =
      maxBytes === 0
        ? null
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: (_token, text) => 3 * text.length + OVERHEAD_BYTES })
  }

  /** Goes up when what was verified has to be verified again. */
  get generation(): number {
    return this.#generation
  }

  get size(): number {
    return this.#tokens?.size ?? 0
  }

  get(text: string): VerifiedToken | undefined {
    const token = this.#tokens?.get(text)
    if (token === undefined || Date.now() < (token.expiresAt + this.#skewSecs) * 1000) return token
    this.#tokens?.delete(text)
    return undefined
  }

  /** @param generation when it began to be verified: what began before a change counts for nothing after it */
  put(text: string, token: VerifiedToken, generation: number): void {
    if (generation === this.#generation) this.#tokens?.set(text, token)
  }

  clear(): void {
    this.#generation++
    this.#tokens?.clear()
  }
}
