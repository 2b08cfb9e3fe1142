import type { Statement } from './statement.ts'

/**
 * A write that happens at most once, however often and wherever it is requested: a row with its key stands or falls with it, so that
 * the database decides whether it happened, whatever becomes of this process or of the connection. All roots of the operation are
 * in one transaction.
 */
export interface WriteOnce {
  /** Has the columns `id` (the primary key), `fingerprint`, `answer`, `expires_at` (milliseconds since 1970). */
  readonly table: string
  readonly key: string
  /** Of the whole request: the key with another one is refused. */
  readonly fingerprint: string
  /** How long the row counts. */
  readonly ttlMs: number
  /** Largest answer that is stored, in bytes. The answer to a repeat of a larger one says that the write was committed. */
  readonly maxAnswerBytes: number
  /**
   * Called where the key is taken. `done`: the result is the answer of the write that took it, with its `writes` but without
   * their rows; the hooks of COMMIT do not run again; an answer that was too large to be kept is CONFLICT with the outcome `committed`. `other`: that was another request, and this one fails with IDEMPOTENCY_CONFLICT.
   */
  readonly found: (by: 'done' | 'other') => void
}

/** Statements over a table of keys of writes (`WriteOnce.table`). Times are milliseconds since 1970. */
export interface WriteKeyStatements {
  /** Parameters: id, fingerprint, end. Fails where the id is taken. */
  readonly insert: Statement
  /** Parameters: answer, id. */
  readonly keep: Statement
  /** Gives fingerprint, answer, end. Parameter: id. No read: a replica may not have the row yet. */
  readonly read: Statement
  /** Deletes one that has ended. Parameters: id, now. */
  readonly expire: Statement
  /** Deletes all that have ended. Parameter: now. */
  readonly sweep: Statement
}
