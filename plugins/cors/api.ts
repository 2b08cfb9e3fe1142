/** `[server.cors]` */
export interface CorsOptions {
  readonly origins: readonly string[]
  readonly credentials: boolean
}

/** For plugins with a path that pages of more origins may call than those of `server.cors.origins`. To be called in their set-up. */
export interface CorsApi {
  /**
   * Pages of these origins may call the path, besides those of `server.cors.origins`, and without cookies; pages that may call it read
   * these headers of its answers, besides those of any answer.
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
