/** A stored key. */
export interface StoredKey {
  readonly name: string
  /** `sha256:<hex>`, or a PHC string of argon2. */
  readonly hash: string
  readonly scopes: readonly string[]
}

/** A store of keys. */
export interface KeyStore {
  /**
   * Returns the candidates for a key, by its id or digest.
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  find(id: string | null, sha256: string): Promise<readonly StoredKey[]> | readonly StoredKey[]
}
