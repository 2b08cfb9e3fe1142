import type { Codec } from './codec.ts'

/** The connection that an operation belongs to. */
export interface SocketOwner {
  readonly id: string
  readonly codec: Codec
  /** `true` if too many bytes are buffered for the client. */
  readonly isSlow: boolean
  close(code: number, reason: string): void
  send(message: string | Buffer): void
  /** Counts a subscription. @throws SvcError VALIDATION_ERROR when the connection has too many */
  count(): void
  /** Removes an operation that has ended. */
  left(operation: { readonly id: string }, isSubscription: boolean): void
}
