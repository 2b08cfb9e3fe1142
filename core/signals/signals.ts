import type { PluginSignals } from './plugin-signals.ts'

/**
 * Everything the service observes, as one typed union. Call sites emit; the log and the metrics plugin subscribe and
 * decide what to show. Nobody logs by hand.
 */
export type Signal = CoreSignal | PluginSignal

/** A signal that a plugin has added to {@link PluginSignals}. */
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
  /** Only with `server.access_log`. `bytes` is `null` for a stream. */
  | {
      readonly type: 'request-answered'
      readonly requestId: string
      readonly method: string
      /** Without the query string, which may hold what nobody should read. */
      readonly path: string
      readonly status: number
      /** From the request's head to the finished answer, before it is sent. */
      readonly ms: number
      readonly bytes: number | null
      /** The name that the client gave its operation. */
      readonly operation: string | null
      /** Who asked, as the credential said. `null`: nobody did, or nobody that was asked for. */
      readonly userId: string | null
      /** Did the answer come from the response cache? `null`: nothing that it keeps. */
      readonly cacheHit: boolean | null
      readonly aborted: 'timeout' | 'client' | null
    }
  | {
      readonly type: 'request-failed'
      readonly requestId: string
      readonly errorId: string
      readonly code: string
      readonly error: unknown
      /** Absent or `false` where an outage refuses one more request under an id that the log has already. */
      readonly isFirst?: boolean
    }
  /** The database did not take on the role of a request, or one of its session variables. The client is told FORBIDDEN. */
  | {
      readonly type: 'settings-refused'
      readonly requestId: string
      /** The name that the client gave its operation. */
      readonly operation: string | null
      readonly role: string | null
      /** Names of the session variables. */
      readonly variables: readonly string[]
      /** What the database said. */
      readonly reason: string
    }
  /** Only with `database.slow_statement_ms`. */
  | {
      readonly type: 'slow-statement'
      /** `null`: it was for no request. */
      readonly requestId: string | null
      /** `default`, or as its section `[databases.<name>]` calls it. */
      readonly database: string
      /** The name that the client gave its operation. */
      readonly operation: string | null
      /** What the operation asked for, in names of the schema, the first ten. */
      readonly roots: readonly string[]
      /** From handing it to the driver to its last row, waiting for a connection included. */
      readonly ms: number
      readonly failed: boolean
      /** How statements of this text are planned now: with their values, or once for any. `null`: as the database decides. */
      readonly planning: 'values' | 'generic' | null
      /** Its text, with placeholders where the values go. */
      readonly statement: string
    }
  /** A selective statement is planned otherwise from now on. */
  | {
      readonly type: 'statement-planned'
      /** The name under which it is prepared: `svc_` and the SHA-1 of its text. */
      readonly statement: string
      readonly planning: 'values' | 'generic'
      /** EXPLAIN showed the same plan, or another one, for the values of a run; or a generic run took far longer. */
      readonly reason: 'same-plan' | 'other-plan' | 'slow'
    }
  /** One entry of `errors`, as a GraphQL client is told. */
  | { readonly type: 'graphql-error'; readonly code: string }
  | { readonly type: 'generation-loaded'; readonly hash: string; readonly reason: 'boot' | 'reload' }
  | { readonly type: 'reload-unchanged'; readonly hash: string }
  | { readonly type: 'reload-failed'; readonly error: unknown }
  /** A reload has found another certificate, or one that cannot be used: the old one is served on. */
  | { readonly type: 'certificate-renewed' }
  | { readonly type: 'certificate-refused'; readonly error: unknown }
  | { readonly type: 'after-commit-failed'; readonly plugin: string; readonly error: unknown }
  | { readonly type: 'database-down'; readonly error: unknown }
  | { readonly type: 'database-up' }
  /** The server refuses more connections than `granted`, which is below `database.pool_max`. */
  | { readonly type: 'connections-refused'; readonly granted: number; readonly wanted: number; readonly error: unknown }
  | { readonly type: 'connections-granted' }
  /** New sessions of the database can write nothing, and can again. */
  | { readonly type: 'database-read-only' }
  | { readonly type: 'database-writable' }
  /** A database lacks views, columns or functions that the schema uses, or has them with other types; `differences` name them. */
  | { readonly type: 'schema-drift'; readonly database: string; readonly differences: readonly string[] }
  | { readonly type: 'schema-fits'; readonly database: string }
  /** Somebody came with a credential that is not valid. `reason` is a word of ours; nothing of the credential is told. */
  | {
      readonly type: 'credential-refused'
      readonly requestId: string
      readonly address: string
      /** Name of the plugin that refused it. */
      readonly method: string
      readonly reason: string
    }
  /** `store` is its host: the URL may hold a password. */
  | { readonly type: 'store-down'; readonly store: string; readonly error: unknown }
  | { readonly type: 'store-up'; readonly store: string }
  | { readonly type: 'prepared-statements-off'; readonly reason: string }
  | { readonly type: 'warning'; readonly plugin: string; readonly message: string }

/** Receives every signal. Runs synchronously, so it must be quick; an error of its own is a warning of the process. */
export type SignalListener = (signal: Signal) => void

export interface Signals {
  emit(signal: Signal): void
  /** @returns the function that unsubscribes */
  subscribe(listener: SignalListener): () => void
}

/** Creates the process's one signal bus. */
export function createSignals(): Signals {
  const listeners = new Set<SignalListener>()
  return {
    emit(signal) {
      for (const listener of listeners) {
        try {
          listener(signal)
        } catch (error) {
          // The part that signals something has not failed.
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
