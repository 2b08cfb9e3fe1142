import type { Codec } from './codec.ts'

/** The members of a WebSocket connection that its operations use. */
export interface SocketOwner {
  readonly id: string
  readonly codec: Codec
  /** `true` if so many bytes wait to be sent to the client that events must be dropped or delayed. */
  readonly isSlow: boolean
  close(code: number, reason: string): void
  send(message: string | Buffer): void
  /** Counts a new subscription of the connection. @throws SvcError VALIDATION_ERROR when the connection has too many */
  count(): void
  /** Called when an operation of the connection has ended. */
  left(operation: { readonly id: string }, isSubscription: boolean): void
}
