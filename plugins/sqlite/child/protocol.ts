import type { Setting } from '../../../core/doors/driver.ts'
import type { Row } from '../../../core/doors/plugin.ts'

/** A stored or bound value. Integers are always bigints, because a number would be bound as REAL. */
export type Value = string | bigint | number | Uint8Array | null

export interface OpenRequest {
  readonly op: 'open'
  readonly file: string
  /** Entry of `node-sqlite3-wasm`; `null` = Node's own library. */
  readonly wasm: string | null
  /** One of several beside the one that writes. */
  readonly reads: boolean
  /** How long a statement waits for a lock that another process holds. */
  readonly busyMs: number
  /** Absolute folder of the scripts that stand in for functions. */
  readonly functions: string
}

export interface RunRequest {
  readonly op: 'run'
  readonly text: string
  /** Prepared once under this name; `null` = not kept, and its columns are told. */
  readonly name: string | null
  readonly parameters: readonly (string | null)[]
  /** Refuses to write. */
  readonly readOnly: boolean
  /** Begins a transaction, which the statement is the first of. */
  readonly begin: 'DEFERRED' | 'IMMEDIATE' | null
  /** What `svc_setting` answers: until the transaction ends, without one in this statement alone. */
  readonly settings: readonly Setting[]
  /** A larger result fails as too large; 0 = no bound. */
  readonly maxBytes: number
}

/** Rows of one statement in a read transaction of their own. The first batch is its answer. */
export interface CursorRequest {
  readonly op: 'cursor'
  readonly text: string
  readonly parameters: readonly (string | null)[]
  /** What `svc_setting` answers, until the cursor ends. */
  readonly settings: readonly Setting[]
  readonly batchSize: number
}

export type Request =
  | OpenRequest
  | RunRequest
  | CursorRequest
  | { readonly op: 'fetch' }
  /** Ends the cursor, wherever it stands. */
  | { readonly op: 'leave' }
  /** All rows of one statement into a file of JSON lines: whoever reads it slowly holds no lock. */
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
  /** As the comment at its head says; `null` = by the columns. */
  readonly returns: { readonly set: boolean; readonly type: string } | null
  /** Of the statement whose rows are the result; empty = it gives none. `null`: it reads what the script makes itself. */
  readonly columns: readonly { readonly name: string; readonly type: string | null }[] | null
}

export interface Answer {
  readonly rows: readonly Row[]
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** A cursor has no more. */
  readonly done: boolean
  readonly scripts?: readonly ScriptDescription[]
}

export interface Failure {
  /**
   * `sqlite`: a result code; `raised`: `svc_raise`; `script`: a script that is none; `too-large`: over `maxBytes`;
   * `broken`: the library itself stopped, and its process has to end.
   */
  readonly kind: 'sqlite' | 'raised' | 'script' | 'too-large' | 'broken'
  /** SQLite's (extended) result code; 1 where there is none. */
  readonly result: number
  readonly message: string
  /** The code of `svc_raise`. */
  readonly code?: string | undefined
  /** The script that failed, and where in it: `fn_buy.sql:3`. */
  readonly where?: string | undefined
  /** 1-based offset of the failing statement in a script. */
  readonly position?: number | undefined
}

export type Reply = { readonly answer: Answer } | { readonly failure: Failure }
