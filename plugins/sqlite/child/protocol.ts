import type { Setting } from '../../../core/doors/driver.ts'
import type { Row } from '../../../core/doors/plugin.ts'

/** A stored value, or the value of a parameter. Integers are bigints, because SQLite would store a number as REAL. */
export type Value = string | bigint | number | Uint8Array | null

export interface OpenRequest {
  readonly op: 'open'
  readonly file: string
  /** Path of the package `node-sqlite3-wasm`; `null`: use the library of Node.js. */
  readonly wasm: string | null
  /** `true` for a connection that only reads. One further connection writes. */
  readonly reads: boolean
  /** `true`: do not change the journal mode of the file. */
  readonly keepsMode: boolean
  /** Maximum milliseconds to wait for a lock of another process. */
  readonly busyMs: number
  /** Absolute path of the folder with the SQL scripts that serve as functions. */
  readonly functions: string
}

export interface RunRequest {
  readonly op: 'run'
  readonly text: string
  /**
   * Name under which the statement stays prepared; `null`: it is prepared for this request only, and the answer
   * contains its columns.
   */
  readonly name: string | null
  readonly parameters: readonly (string | null)[]
  /** `true`: reject the statement if it writes. */
  readonly readOnly: boolean
  /** Kind of the transaction that begins with this statement; `null`: none. */
  readonly begin: 'DEFERRED' | 'IMMEDIATE' | null
  /**
   * Session variables that the SQL function `svc_setting` returns, until the transaction ends. Without a transaction,
   * only for this statement.
   */
  readonly settings: readonly Setting[]
  /** Maximum size of the result in bytes; 0: no limit. */
  readonly maxBytes: number
}

/**
 * Request to read the rows of a statement in batches, in a read transaction of its own. The answer contains the first
 * batch.
 */
export interface CursorRequest {
  readonly op: 'cursor'
  readonly text: string
  readonly parameters: readonly (string | null)[]
  /** Session variables that the SQL function `svc_setting` returns until the cursor ends. */
  readonly settings: readonly Setting[]
  readonly batchSize: number
}

export type Request =
  | OpenRequest
  | RunRequest
  | CursorRequest
  | { readonly op: 'fetch' }
  /** Ends the cursor at any position. */
  | { readonly op: 'leave' }
  /** Writes all rows of one statement to a file of JSON lines, so that a slow reader holds no lock. */
  | {
      readonly op: 'spool'
      readonly text: string
      readonly parameters: readonly (string | null)[]
      readonly settings: readonly Setting[]
      readonly to: string
    }
  | { readonly op: 'end'; readonly commit: boolean }
  | { readonly op: 'script'; readonly sql: string }
  | { readonly op: 'describe'; readonly names: readonly string[] }
  | { readonly op: 'close' }

/** Parameters and result of a SQL script that serves as a function, for the database catalog. */
export interface ScriptDescription {
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly type: string | null; readonly hasDefault: boolean }[]
  /**
   * Result that the comment at the head of the script declares; `null`: none is declared, so `columns` describes it.
   */
  readonly returns: { readonly set: boolean; readonly type: string } | null
  /**
   * Columns of the statement that returns the result; empty: there is no result. `null`: unknown, because it reads
   * tables that the script creates.
   */
  readonly columns: readonly { readonly name: string; readonly type: string | null }[] | null
}

export interface Answer {
  readonly rows: readonly Row[]
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** `true` when a cursor has no more rows. */
  readonly done: boolean
  readonly scripts?: readonly ScriptDescription[]
}

export interface Failure {
  /**
   * Cause of the failure. `sqlite`: an error of SQLite; `raised`: a call of `svc_raise`; `script`: an invalid script;
   * `too-large`: a result above `maxBytes`; `broken`: the library failed and the process must end.
   */
  readonly kind: 'sqlite' | 'raised' | 'script' | 'too-large' | 'broken'
  /** Extended result code of SQLite; 1 if the failure has none. */
  readonly result: number
  readonly message: string
  /** Error code that a script passed to the SQL function `svc_raise`. */
  readonly code?: string | undefined
  /** File and line of the failure in a script: `fn_buy.sql:3`. */
  readonly where?: string | undefined
  /** Position of the failing statement in a script, from 1 in characters. */
  readonly position?: number | undefined
}

export type Reply = { readonly answer: Answer } | { readonly failure: Failure }
