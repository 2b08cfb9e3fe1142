import type { MutationModel } from '../schema/model.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'

/** What a plugin wants of writes beside being told of them (`scope.writes`). Writes of other mutations pay nothing. */
export interface WriteContribution {
  /** Which mutations. Asked once per document, not per request. Default: all. */
  readonly mutations?: (mutation: MutationModel) => boolean
  /** `CommittedWrite.before` of updates and deletes, of types that have a source. */
  readonly before?: boolean
  /** `CommittedWrite.entity` also where the function gives an id alone: read from the source of its type. */
  readonly entity?: boolean
  /**
   * A row for each row that is written, which stands or falls with it: in the write's own statement where the database
   * can, else in its transaction.
   */
  readonly insert?: WriteInsert
}

/** A table that keeps a row per write: an outbox, a change log. */
export interface WriteInsert {
  /** `svc_outbox`, `audit.change`. */
  readonly table: string
  /** What goes into each column. Those that are left out have their default. */
  readonly columns: Readonly<Record<string, keyof CommittedWrite | WriteValue>>
}

/** A value of the request, as the text that its column reads; called once per write. */
export type WriteValue = (exchange: Exchange, operation: Operation) => string | null

/** With the plugin that made it. */
export interface OwnedContribution extends WriteContribution {
  readonly plugin: string
}
