/** An API key, as it is stored. */
export interface StoredKey {
  readonly name: string
  /** Hash of the key: `sha256:<hex>`, or a PHC string of argon2. */
  readonly hash: string
  readonly scopes: readonly string[]
}

/** A store of API keys. */
export interface KeyStore {
  /** Returns the stored keys that may match a key, by its id or digest. @throws SvcError SERVICE_UNAVAILABLE */
  find(id: string | null, sha256: string): Promise<readonly StoredKey[]> | readonly StoredKey[]
}
