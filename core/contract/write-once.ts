import type { Statement } from './statement.ts'

/**
 * A write that happens at most once, on any process and for any number of requests (docs/guides/rest.md#writing). A row with its key is
 * committed in the same transaction, so that the database decides whether the write happened, even after a crash or a broken connection.
 * All roots of the operation share the transaction.
 */
export interface WriteOnce {
  /** Table of keys, with the columns `id` (primary key), `fingerprint`, `answer`, `expires_at` (milliseconds since 1970). */
  readonly table: string
  readonly key: string
  /** Fingerprint of the whole request. A key that is used with another fingerprint is rejected. */
  readonly fingerprint: string
  /** Lifetime of the key in milliseconds. */
  readonly ttlMs: number
  /** Largest stored answer in bytes. When a larger one is repeated, the answer only says that the write was committed. */
  readonly maxAnswerBytes: number
  /**
   * Called when the key exists already. `done`: the same request has run. Its stored response is returned, with the list
   * of `writes` but without their rows, and `afterCommit` hooks do not run. A response that was too large to store is
   * replaced by CONFLICT with the outcome `committed`. `other`: the key belongs to another request, and this one fails
   * with IDEMPOTENCY_CONFLICT.
   */
  readonly found: (by: 'done' | 'other') => void
}

/** Statements for the table of keys (`WriteOnce.table`). Times are milliseconds since 1970. */
export interface WriteKeyStatements {
  /** Inserts a key. Parameters: id, fingerprint, expiry. Fails when the id exists. */
  readonly insert: Statement
  /** Stores the response of a write. Parameters: response, id. */
  readonly keep: Statement
  /**
   * Selects fingerprint, answer and expiry of a key. Parameter: id. Not marked as a read, because a replica may not
   * have the row yet.
   */
  readonly read: Statement
  /** Deletes a key if it has expired. Parameters: id, now. */
  readonly expire: Statement
  /** Deletes all expired keys. Parameter: now. */
  readonly sweep: Statement
}
