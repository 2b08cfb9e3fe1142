/** A document of the manifest that is invalid for the schema. */
export interface InvalidDocument {
  readonly id: string
  readonly messages: readonly string[]
}

/** Access to the trusted documents. */
export interface TrustedDocuments {
  /** Number of trusted documents. */
  readonly size: number
  /** Reason why the manifest has not been read yet; `null`: it has been read. */
  readonly unread: string | null
  /**
   * Prepares documents as requests do: it parses, validates and plans them, and checks limits. They stay in the cache.
   * @param documents texts by id. Default: those of the manifest
   * @returns the invalid ones
   */
  check(documents?: ReadonlyMap<string, string>): Promise<readonly InvalidDocument[]>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    trustedDocuments: TrustedDocuments
  }
}
