import type { Setting } from '../../../core/doors/driver.ts'
import type { Row } from '../../../core/doors/plugin.ts'

/** A stored or bound value. Integers are always bigints, because a number would be bound as REAL. */
export type Value = string | bigint | number | Uint8Array | null

export interface OpenRequest {
  readonly op: 'open'
  readonly file: string
  /** Entry of `node-sqlite3-wasm`; `null` = Node's own library. */
  readonly wasm: string | null
  /** `true` for one of several reading connections next to the writing one. */
  readonly reads: boolean
  /** Does the file keep its journal mode? */
  readonly keepsMode: boolean
  /** Time limit of waiting for a lock of another process, in milliseconds. */
  readonly busyMs: number
  /** Absolute path of the folder with the scripts that serve as functions. */
  readonly functions: string
}

export interface RunRequest {
  readonly op: 'run'
  readonly text: string
  /**
   * Name under which the statement stays prepared; `null`: the statement is prepared for this request only, and its
   * columns are returned.
   */
  readonly name: string | null
  readonly parameters: readonly (string | null)[]
  /** `true`: reject the statement if it writes. */
  readonly readOnly: boolean
  /** Kind of the transaction that begins with this statement; `null`: none. */
  readonly begin: 'DEFERRED' | 'IMMEDIATE' | null
  /**
   * Settings that the SQL function `svc_setting` returns, until the end of the transaction, or of this statement
   * without a transaction.
   */
  readonly settings: readonly Setting[]
  /** Maximum size of the result in bytes; 0: no limit. */
  readonly maxBytes: number
}

/** Reads the rows of one statement in a separate read transaction. The reply contains the first batch. */
export interface CursorRequest {
  readonly op: 'cursor'
  readonly text: string
  readonly parameters: readonly (string | null)[]
  /** The results of `svc_setting`, until the cursor ends. */
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

/** The description of a script, for the catalog. */
export interface ScriptDescription {
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly type: string | null; readonly hasDefault: boolean }[]
  /** The result as declared in the comment at the head of the script; `null`: derived from the columns. */
  readonly returns: { readonly set: boolean; readonly type: string } | null
  /** Columns of the statement that returns the result; empty: no result. `null`: it reads tables that the script creates. */
  readonly columns: readonly { readonly name: string; readonly type: string | null }[] | null
}

export interface Answer {
  readonly rows: readonly Row[]
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** `true` after the last row of a cursor. */
  readonly done: boolean
  readonly scripts?: readonly ScriptDescription[]
}

export interface Failure {
  /**
   * Cause of the failure. `sqlite`: a result code; `raised`: `svc_raise`; `script`: an invalid script; `too-large`:
   * over `maxBytes`; `broken`: the library itself has failed, and its process has to end.
   */
  readonly kind: 'sqlite' | 'raised' | 'script' | 'too-large' | 'broken'
  /** Extended result code of SQLite; 1 without one. */
  readonly result: number
  readonly message: string
  /** Error code that the script passed to `svc_raise`. */
  readonly code?: string | undefined
  /** Location of the failure in a script: `fn_buy.sql:3`. */
  readonly where?: string | undefined
  /** 1-based offset of the failing statement in a script. */
  readonly position?: number | undefined
}

export type Reply = { readonly answer: Answer } | { readonly failure: Failure }
