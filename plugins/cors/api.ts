/** Options of the section `[server.cors]`. */
export interface CorsOptions {
  readonly origins: readonly string[]
  readonly credentials: boolean
}

/**
 * API for plugins that allow further origins for one of their paths, in addition to `server.cors.origins`. Call it
 * during set-up.
 */
export interface CorsApi {
  /**
   * Allows web pages of the given origins to call a path, without cookies, in addition to `server.cors.origins`.
   * @param more `origins` of the pages; `exposed`: names of further response headers that these pages may read
   */
  open(path: string, more: { readonly origins: readonly string[]; readonly exposed: readonly string[] }): void
}

declare module '../../core/doors/plugin.ts' {
  interface ServerSection {
    readonly cors?: CorsOptions
  }
  interface Provided {
    cors: CorsApi
  }
}
