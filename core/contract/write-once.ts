import type { Statement } from './statement.ts'

/**
 * Makes a write happen at most once, however often and on whatever process it is requested, with an idempotency key
 * (docs/guides/rest.md#writing). The key is committed in the transaction of the write, so the database decides whether
 * the write has happened, even after a crash. All root fields of the operation share the transaction.
 */
export interface WriteOnce {
  /**
   * Table of the keys, with the columns `id` (primary key), `fingerprint`, `answer` (the stored response) and
   * `expires_at` (milliseconds since 1970).
   */
  readonly table: string
  readonly key: string
  /** Digest of the whole request. A request with the same key and another fingerprint is rejected. */
  readonly fingerprint: string
  /** Lifetime of the key in milliseconds. After that, the same request writes again. */
  readonly ttlMs: number
  /**
   * Maximum size in bytes of a response that is stored for repeated requests. For a larger one, a repeated request only
   * learns that the write was committed.
   */
  readonly maxAnswerBytes: number
  /**
   * Called when the key exists already.
   * - `done`: the same request was executed before. Its stored response is returned, and `afterCommit` hooks do not
   *   run. A response that was too large to store is replaced by CONFLICT with the outcome `committed`
   * - `other`: the key belongs to another request. This one fails with IDEMPOTENCY_CONFLICT
   */
  readonly found: (by: 'done' | 'other') => void
}

/** SQL statements for the table of idempotency keys (`WriteOnce.table`). Times are milliseconds since 1970. */
export interface WriteKeyStatements {
  /** Inserts a key. Parameters: id, fingerprint, expiry time. Fails if the id exists. */
  readonly insert: Statement
  /** Stores the response of a write with its key. Parameters: response, id. */
  readonly keep: Statement
  /**
   * Selects fingerprint, response and expiry time of a key. Parameter: id. It does not count as a read-only statement,
   * so that it never runs on a replica, which may not have the row yet.
   */
  readonly read: Statement
  /** Deletes one key if it has expired. Parameters: id, current time. */
  readonly expire: Statement
  /** Deletes all expired keys. Parameter: current time. */
  readonly sweep: Statement
}
