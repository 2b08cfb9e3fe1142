import type { PluginSignals } from './plugin-signals.ts'

/**
 * An event of the service itself, such as a failed request or a lost database connection. Code emits signals instead of
 * logging; the log and the metrics plugin subscribe to them and decide what to show.
 */
export type Signal = CoreSignal | PluginSignal

/**
 * A signal that a plugin emits. Plugins declare the type and the members in {@link PluginSignals}, by declaration
 * merging.
 */
export type PluginSignal = {
  [K in keyof PluginSignals]: {
    readonly type: K
    readonly level?: SignalLevel
    readonly message?: string
  } & PluginSignals[K]
}[keyof PluginSignals]

export type SignalLevel = 'debug' | 'info' | 'warn' | 'error'

export type CoreSignal =
  | { readonly type: 'server-listening'; readonly url: string; readonly bootMs: number }
  | { readonly type: 'server-draining' }
  | { readonly type: 'server-closed' }
  /** A request was answered. Only with `server.access_log`. `bytes` is `null` for a stream. */
  | {
      readonly type: 'request-answered'
      readonly requestId: string
      readonly method: string
      /** Path without the query string, which may contain secrets. */
      readonly path: string
      readonly status: number
      /** Milliseconds from the head of the request to the complete reply, before it is sent. */
      readonly ms: number
      readonly bytes: number | null
      /** The name that the client gave its operation. */
      readonly operation: string | null
      /** Subject of the caller's credential; `null`: none, or it was not verified. */
      readonly userId: string | null
      /** The answer came from the response cache; `null`: it is not cacheable. */
      readonly cacheHit: boolean | null
      readonly aborted: 'timeout' | 'client' | null
    }
  | {
      readonly type: 'request-failed'
      readonly requestId: string
      readonly errorId: string
      readonly code: string
      readonly error: unknown
      /** `false` or absent: a further request of an outage, with an `errorId` that the log has already. */
      readonly isFirst?: boolean
    }
  /** The database rejected the role of a request, or one of its session variables. The client sees FORBIDDEN. */
  | {
      readonly type: 'settings-refused'
      readonly requestId: string
      /** The name that the client gave its operation. */
      readonly operation: string | null
      readonly role: string | null
      /** Names of the session variables. */
      readonly variables: readonly string[]
      /** Message of the database. */
      readonly reason: string
    }
  /** A statement was slow. Only with `database.slow_statement_ms`. */
  | {
      readonly type: 'slow-statement'
      /** `null`: the statement belongs to no request. */
      readonly requestId: string | null
      /** `default`, or the name of its section `[databases.<name>]`. */
      readonly database: string
      /** The name that the client gave its operation. */
      readonly operation: string | null
      /** Root fields of the operation, by names of the schema; at most ten. */
      readonly roots: readonly string[]
      /** Milliseconds from the call of the driver to the last row, including the wait for a connection. */
      readonly ms: number
      readonly failed: boolean
      /** How the database now plans the statement: for the values, or once for any values. `null`: the database decides. */
      readonly planning: 'values' | 'generic' | null
      /** Text with placeholders. */
      readonly statement: string
    }
  /** The planning of a selective statement has changed. */
  | {
      readonly type: 'statement-planned'
      /** Name of the prepared statement: `svc_` and the SHA-1 of its text. */
      readonly statement: string
      readonly planning: 'values' | 'generic'
      /** EXPLAIN showed the same plan, or another one, for the values of a run; or a generic run took far longer. */
      readonly reason: 'same-plan' | 'other-plan' | 'slow'
    }
  /** An entry of `errors` in a GraphQL response. */
  | { readonly type: 'graphql-error'; readonly code: string }
  | { readonly type: 'generation-loaded'; readonly hash: string; readonly reason: 'boot' | 'reload' }
  | { readonly type: 'reload-unchanged'; readonly hash: string }
  | { readonly type: 'reload-failed'; readonly error: unknown }
  /** A reload found a new certificate; or an invalid one, and the old one stays in use. */
  | { readonly type: 'certificate-renewed' }
  | { readonly type: 'certificate-refused'; readonly error: unknown }
  | { readonly type: 'after-commit-failed'; readonly plugin: string; readonly error: unknown }
  | { readonly type: 'database-down'; readonly error: unknown }
  | { readonly type: 'database-up' }
  /** The database server allows only `granted` connections, which is below `database.pool_max`. */
  | { readonly type: 'connections-refused'; readonly granted: number; readonly wanted: number; readonly error: unknown }
  | { readonly type: 'connections-granted' }
  /** New sessions of the database are read-only; or writable again. */
  | { readonly type: 'database-read-only' }
  | { readonly type: 'database-writable' }
  /** A database lacks views, columns or functions of the schema, or has them with other types. `differences` describes them. */
  | { readonly type: 'schema-drift'; readonly database: string; readonly differences: readonly string[] }
  | { readonly type: 'schema-fits'; readonly database: string }
  /** A credential was rejected. `reason` is a fixed word and contains no part of the credential. */
  | {
      readonly type: 'credential-refused'
      readonly requestId: string
      readonly address: string
      /** Name of the plugin that rejected it. */
      readonly method: string
      readonly reason: string
    }
  /** A key-value store is unreachable; or reachable again. `store` is its host, because the URL may contain a password. */
  | { readonly type: 'store-down'; readonly store: string; readonly error: unknown }
  | { readonly type: 'store-up'; readonly store: string }
  | { readonly type: 'prepared-statements-off'; readonly reason: string }
  | { readonly type: 'warning'; readonly plugin: string; readonly message: string }

/**
 * Receives every signal. It is called synchronously, so it must be fast. An error that it throws becomes a process
 * warning.
 */
export type SignalListener = (signal: Signal) => void

export interface Signals {
  emit(signal: Signal): void
  /** Calls a listener for every signal from now on. @returns a function that unsubscribes */
  subscribe(listener: SignalListener): () => void
}
