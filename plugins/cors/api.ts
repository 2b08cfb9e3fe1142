/** Options of the section `[server.cors]`. */
export interface CorsOptions {
  readonly origins: readonly string[]
  readonly credentials: boolean
}

/**
 * API for plugins with a path that pages of further origins may call, in addition to `server.cors.origins`. Call it
 * during set-up.
 */
export interface CorsApi {
  /**
   * Allows pages of these origins to call the path, without cookies, in addition to `server.cors.origins`. Pages may read
   * the headers `exposed` of its replies, in addition to those of all replies.
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
