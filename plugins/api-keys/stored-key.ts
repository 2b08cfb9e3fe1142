/** A key as it is stored. */
export interface StoredKey {
  readonly name: string
  /** `sha256:<hex>`, or a PHC text of argon2. */
  readonly hash: string
  readonly scopes: readonly string[]
}

/** Where keys are found. */
export interface KeyStore {
  /**
   * Those that it may be: by the id in it, or by its digest.
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  find(id: string | null, sha256: string): Promise<readonly StoredKey[]> | readonly StoredKey[]
}
