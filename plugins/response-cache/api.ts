/**
 * API for plugins that write without mutations of the schema. Each promise resolves when no older result is served any
 * more.
 */
export interface ResponseCache {
  /** Removes cached results that read these views. @param views names as in `sql_source`: `v_post` */
  invalidateViews(views: readonly string[]): Promise<void>
  /** Removes cached results with rows of the type. A single row cannot be removed, because lists may contain it. */
  invalidateEntity(typeName: string): Promise<void>
  /**
   * Removes cached results by a pattern.
   * @param pattern matches names of views, or of queries with a colon after them (`posts:*`); `*` is any text
   */
  invalidatePattern(pattern: string): Promise<void>
  clear(): Promise<void>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    responseCache: ResponseCache
  }
}
