import type { FederationOptions } from './options.ts'

declare module '../../core/doors/plugin.ts' {
  interface Config {
    readonly federation?: FederationOptions
  }
}
