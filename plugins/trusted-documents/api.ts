/** A trusted document that is invalid for the schema, with the messages of its errors. */
export interface InvalidDocument {
  readonly id: string
  readonly messages: readonly string[]
}

/** API of the trusted documents plugin: the GraphQL documents that clients may run. */
export interface TrustedDocuments {
  /** Number of trusted documents. */
  readonly size: number
  /** Reason why the list of documents could not be read yet; `null`: it was read. */
  readonly unread: string | null
  /**
   * Checks documents against the schema and the limits, as requests do. Valid documents and their plans stay in the
   * cache.
   * @param documents texts by id; default: the trusted documents
   * @returns the invalid documents
   */
  check(documents?: ReadonlyMap<string, string>): Promise<readonly InvalidDocument[]>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    trustedDocuments: TrustedDocuments
  }
}
