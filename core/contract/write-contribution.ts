import type { MutationModel } from '../schema/model.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'

/** Argument of `scope.writes`: data that a plugin needs from writes, and rows that it adds (docs/guides/write-a-plugin.md#more-of-each-write). */
export interface WriteContribution {
  /** Selects mutations; others are unaffected. Called once for each document, not for each request. Default: all mutations. */
  readonly mutations?: (mutation: MutationModel) => boolean
  /** Sets `CommittedWrite.before` of updates and deletes, for types with a source. */
  readonly before?: boolean
  /** Sets `CommittedWrite.entity` also when the function returns an id alone. The row is read from the source of its type. */
  readonly entity?: boolean
  /**
   * Inserts a row for each written row, in the same transaction: in the statement of the write itself if the database can do so.
   */
  readonly insert?: WriteInsert
}

/** A table with a row for each write, such as an outbox or a change log. */
export interface WriteInsert {
  /** Name of the table: `svc_outbox`, `audit.change`. */
  readonly table: string
  /** Value of each column. Columns that are not listed have their default. */
  readonly columns: Readonly<Record<string, keyof CommittedWrite | WriteValue>>
}

/** Returns a value of the request as text for its column. Called once for each write. */
export type WriteValue = (exchange: Exchange, operation: Operation) => string | null

/** A contribution, with the name of its plugin. */
export interface OwnedContribution extends WriteContribution {
  readonly plugin: string
}
