/** For plugins that write past the schema's mutations. Resolves when no answer of before is given any more. */
export interface ResponseCache {
  /** @param views as `sql_source` says them: `v_post` */
  invalidateViews(views: readonly string[]): Promise<void>
  /** Answers about rows of this type. One row's alone cannot be told apart from the lists that it may be in. */
  invalidateEntity(typeName: string): Promise<void>
  /** @param pattern of names of views, or of queries with a colon behind (`posts:*`); `*` stands for any characters */
  invalidatePattern(pattern: string): Promise<void>
  clear(): Promise<void>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    responseCache: ResponseCache
  }
}
