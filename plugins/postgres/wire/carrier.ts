import type { Statement } from '../../../core/doors/plugin.ts'
import type { PreparedMode, PreparedNames } from './prepared-names.ts'

export interface Holdable {
  cork(): void
  uncork(): void
}

/** What a statement (`S`) asks of the connection that it is on. */
export interface Carrier<S> {
  readonly mode: PreparedMode
  readonly names: PreparedNames
  /** A cancel request that was sent may have hit another statement than the one it was meant for. */
  readonly cancelledLately: boolean
  hold(stream: Holdable): void
  finish(statement: S): void
  abort(statement: S): void
  /** @returns the error as it concerns the statement */
  heard(error: unknown, statement: Statement): unknown
  destroy(): void
}
