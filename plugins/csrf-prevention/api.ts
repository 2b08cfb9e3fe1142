import type { CsrfOptions } from './options.ts'

declare module '../../core/doors/plugin.ts' {
  interface SecuritySection {
    readonly csrf_prevention?: CsrfOptions
  }
}
