import type { Exchange } from '../../core/index.ts'

/** Where a request comes from, by the rules about proxies. */
export interface ClientAddress {
  /** The address, canonical; the empty text: it came no way that has one. */
  of(exchange: Exchange): string
}

declare module '../../core/index.ts' {
  interface Provided {
    clientAddress: ClientAddress
  }
}
