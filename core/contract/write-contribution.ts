import type { MutationModel } from '../schema/model.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'

/**
 * What a plugin needs of each write: more data for its hooks, or a row in a table of its own. Argument of
 * `scope.writes` (docs/guides/write-a-plugin.md#more-of-each-write).
 */
export interface WriteContribution {
  /**
   * Selects the mutations for which the plugin needs this. It is called once per document and mutation, not for each
   * request of a client. Default: all mutations.
   */
  readonly mutations?: (mutation: MutationModel) => boolean
  /**
   * `true`: `CommittedWrite.before` has the row before an update or delete, if the type is read from a view or table.
   */
  readonly before?: boolean
  /**
   * `true`: `CommittedWrite.entity` has the written row also if the database function returns only its id. svc then
   * reads it from the view or table of its type.
   */
  readonly entity?: boolean
  /** Inserts a row into a table of the plugin for each written row, in the same transaction. */
  readonly insert?: WriteInsert
}

/** A row that is inserted for each written row, for example into an outbox or a change log. */
export interface WriteInsert {
  /** Name of the table, with its schema if needed: `svc_outbox`, `audit.change`. */
  readonly table: string
  /**
   * What each column gets: a member of the {@link CommittedWrite}, or the result of a function. Columns that are not
   * listed have their default.
   */
  readonly columns: Readonly<Record<string, keyof CommittedWrite | WriteValue>>
}

/** Computes the value of a column from the request, as text; `null` for NULL. Called once per write, not per row. */
export type WriteValue = (exchange: Exchange, operation: Operation) => string | null

/** The argument of a plugin's call of `scope.writes`, with the plugin's name. */
export interface OwnedContribution extends WriteContribution {
  readonly plugin: string
}
