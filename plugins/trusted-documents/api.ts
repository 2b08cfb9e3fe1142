/** A document of the manifest that the schema does not answer. */
export interface InvalidDocument {
  readonly id: string
  readonly messages: readonly string[]
}

/** What the plugin provides. */
export interface TrustedDocuments {
  /** How many documents are trusted. */
  readonly size: number
  /** Why the manifest has not been read yet; `null` = it has. */
  readonly unread: string | null
  /**
   * Prepares documents as requests would: parsed, validated, held to the limits, planned. They stay in the document cache.
   * @param documents texts by id. Default: those of the manifest
   * @returns those that cannot be
   */
  check(documents?: ReadonlyMap<string, string>): Promise<readonly InvalidDocument[]>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    trustedDocuments: TrustedDocuments
  }
}
