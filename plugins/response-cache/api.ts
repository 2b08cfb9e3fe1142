/**
 * API for plugins that write to the database without mutations. Each promise resolves when no older result is served
 * any more.
 */
export interface ResponseCache {
  /** Removes cached results that read any of these views. @param views names as in `sql_source`, such as `v_post` */
  invalidateViews(views: readonly string[]): Promise<void>
  /**
   * Removes cached results that may contain rows of a GraphQL type. Single rows cannot be removed, because lists
   * contain them too.
   */
  invalidateEntity(typeName: string): Promise<void>
  /**
   * Removes cached results whose views match a pattern.
   * @param pattern name of a view, or name of a query with a colon after it (`posts:*`); `*` stands for any text
   */
  invalidatePattern(pattern: string): Promise<void>
  clear(): Promise<void>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    responseCache: ResponseCache
  }
}
