/** An API key as the key store returns it. */
export interface StoredKey {
  readonly name: string
  /** Hash of the key: `sha256:<hex>`, or an argon2 hash in PHC string format. */
  readonly hash: string
  readonly scopes: readonly string[]
}

/** A source of API keys for authentication: the configuration file or the table `svc_api_keys`. */
export interface KeyStore {
  /**
   * Returns the stored keys that a presented key may match. The caller compares the hashes.
   * @param id id in the presented key; `null`: the key has none
   * @param sha256 digest of the presented key as `sha256:<hex>`
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  find(id: string | null, sha256: string): Promise<readonly StoredKey[]> | readonly StoredKey[]
}
