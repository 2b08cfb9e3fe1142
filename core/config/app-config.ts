import type { DatabaseConfig } from '../contract/database.ts'
import type { SessionConfig } from '../contract/session-variable.ts'

/** `[databases.<name>]` */
export interface OtherDatabaseConfig extends DatabaseConfig {
  /** What its driver has to be. Absent: whichever takes the URL. */
  readonly type?: string
}

/** The sections of the checked configuration that core itself reads (`core-sections.ts` has them with defaults). */
export interface AppConfig {
  readonly database: Omit<DatabaseConfig, 'url'> &
    SessionConfig['database'] & {
      readonly url?: string
      readonly init_dir: string
      /** Absent or 0: nothing is logged. */
      readonly slow_statement_ms?: number
    }
  /** By name. Absent: there are none. */
  readonly databases?: Readonly<Record<string, OtherDatabaseConfig>>
  readonly session_variables?: SessionConfig['session_variables']
  readonly server: {
    readonly host: string
    readonly port: number
    readonly request_timeout_ms: number
    readonly keep_alive_secs: number
    readonly max_body_bytes: number
    readonly shutdown_grace_ms: number
    readonly shutdown_timeout_ms: number
    readonly max_upgraded_connections: number
    readonly workers: number
    readonly access_log: boolean
    readonly tls: {
      readonly enabled: boolean
      readonly cert_file?: string
      readonly key_file?: string
      readonly min_version: '1.2' | '1.3'
    }
  }
  readonly svc: {
    readonly schema_file: string
    readonly output_file: string
    /** Absent: true. */
    readonly create_tables?: boolean
    readonly max_rows: number
    /** Absent: 32. */
    readonly max_sort_keys?: number
    /** Absent: 16. */
    readonly max_group_keys?: number
    readonly max_document_tokens: number
    readonly max_response_bytes: number
    /** `svc compile` reads it. */
    readonly validation?: Readonly<Record<string, unknown>>
  }
  readonly debug: {
    readonly enabled: boolean
    readonly server_timing: boolean
    readonly database_explain?: boolean
    readonly expose_sql?: boolean
  }
  readonly security: { readonly default_policy: 'authenticated' | 'public' }
}
