import type { Codec } from './codec.ts'

/** What an operation asks of its connection. */
export interface SocketOwner {
  readonly id: string
  readonly codec: Codec
  /** Does too much wait for the client already? */
  readonly isSlow: boolean
  close(code: number, reason: string): void
  send(message: string | Buffer): void
  /** One more subscription. @throws SvcError VALIDATION_ERROR: there are too many */
  count(): void
  /** An operation is over. */
  left(operation: { readonly id: string }, isSubscription: boolean): void
}
