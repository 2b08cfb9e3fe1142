import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import { SvcError } from '../../core/doors/plugin.ts'
import { TokenRefused } from './refused.ts'

/** Age at which keys are fetched again. */
const FRESH_MS = 600_000
/** Age at which keys that could not be fetched again become invalid. */
const STALE_MS = 3_600_000
/** Minimum time between two attempts, whatever token causes them. The shorter one applies while there are no keys. */
const COOLDOWN_MS = 30_000
const FIRST_COOLDOWN_MS = 2000
const MOST_KEYS = 100

export interface KeySetOptions {
  /** Fetches the JWKS document with the issuer's public keys. */
  readonly fetch: () => Promise<unknown>
  /** Called when the keys have changed, so that cached tokens must be verified again. */
  readonly changed: () => void
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

/** The public keys of a token issuer, which it fetches from the issuer and refreshes regularly. */
export class KeySet {
  readonly #options: KeySetOptions
  readonly #now: () => number
  #find: ReturnType<typeof createLocalJWKSet> | null = null
  #text = ''
  #fetchedAt = 0
  /** Counts successful fetches. */
  #version = 0
  /** Counts changes of the keys. */
  #edition = 0
  #triedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | null = null

  constructor(options: KeySetOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Returns the key that a token names. For an unknown key, the keys are fetched again, at most every 30 seconds.
   * @throws TokenRefused; SvcError SERVICE_UNAVAILABLE when no keys are available
   */
  async key(header: JWSHeaderParameters): Promise<CryptoKey> {
    await this.refresh()
    const found = await this.#lookUp(header)
    if (found !== null) return found
    if (await this.#fetchAgain()) {
      const again = await this.#lookUp(header)
      if (again !== null) return again
    }
    throw new TokenRefused('kid')
  }

  /** Number of changes of the keys. */
  get edition(): number {
    return this.#edition
  }

  /**
   * Looks for other keys, because a signature does not match: an issuer may replace a key without renaming it. Keys are fetched at most
   * every 30 seconds, so that forged tokens cause no load on the issuer.
   * @param edition edition of the keys that did not match
   * @returns whether the keys have changed since that edition
   */
  async replaced(edition: number): Promise<boolean> {
    if (this.#edition === edition) await this.#fetchAgain()
    return this.#edition !== edition
  }

  /** Fetches old keys again, and only waits if there are none yet. Call it regularly. */
  async refresh(): Promise<void> {
    const age = this.#now() - this.#fetchedAt
    if (this.#find !== null && age < FRESH_MS) return
    const fetched = this.#fetchAgain()
    if (this.#find === null) await fetched
    else if (age >= STALE_MS) {
      await fetched
      if (this.#now() - this.#fetchedAt >= STALE_MS) this.#forget()
    }
  }

  async #lookUp(header: JWSHeaderParameters): Promise<CryptoKey | null> {
    if (this.#find === null) {
      const options = { retryAfter: FIRST_COOLDOWN_MS / 1000 }
      throw new SvcError('SERVICE_UNAVAILABLE', 'The keys of the issuer cannot be had.', options)
    }
    try {
      return await this.#find(header)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return null
      // The token has no `kid`, and there are several keys. Trying all of them would let clients cause load.
      throw new TokenRefused('kid', undefined, error)
    }
  }

  /** @returns `true` if the keys have been fetched */
  async #fetchAgain(): Promise<boolean> {
    if (this.#fetching === null) {
      const cooldown = this.#find === null ? FIRST_COOLDOWN_MS : COOLDOWN_MS
      if (this.#now() - this.#triedAt < cooldown) return false
      this.#triedAt = this.#now()
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = null
      })
    }
    const before = this.#version
    await this.#fetching
    return this.#version !== before
  }

  async #fetch(): Promise<void> {
    try {
      const document = checkKeys(await this.#options.fetch())
      const text = JSON.stringify(document)
      const isOther = text !== this.#text && this.#find !== null
      this.#find = createLocalJWKSet(document)
      if (text !== this.#text) this.#edition++
      this.#text = text
      this.#fetchedAt = this.#now()
      this.#version++
      if (isOther) this.#options.changed()
    } catch (error) {
      this.#options.failed(error)
    }
  }

  #forget(): void {
    this.#find = null
    this.#options.changed()
  }
}

function checkKeys(document: unknown): JSONWebKeySet {
  const keys = (document as Partial<JSONWebKeySet> | null)?.keys
  if (!Array.isArray(keys)) throw new Error('The answer is no JWKS: it has no list "keys".')
  if (keys.length > MOST_KEYS) throw new Error(`The JWKS has ${keys.length} keys; ${MOST_KEYS} are the most.`)
  return { keys: keys.filter((key) => typeof key === 'object' && key !== null) }
}
