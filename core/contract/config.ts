import type { DatabaseConfig } from './database.ts'
import type { SessionConfig } from './session-variable.ts'

/**
 * The checked configuration: the sections of `svc.toml`, with a value for every key that has a default. The sections of core are always
 * there. A plugin adds its own section by declaration merging, as an optional member, because the plugin may not be in the list:
 *
 *     declare module 'svc' { interface Config { readonly audit?: AuditOptions } }
 *
 * A section inside of `[server]`, `[svc]` or `[security]` is added to {@link ServerSection}, {@link SvcSection} or {@link SecuritySection}.
 */
export interface Config {
  readonly project: {
    readonly name: string
    readonly version: string
    readonly description?: string
    readonly database_target?: 'postgresql' | 'mysql' | 'sqlite' | 'sqlserver'
  }
  readonly database: Omit<DatabaseConfig, 'url' | 'functions'> &
    SessionConfig['database'] & {
      readonly url?: string
      readonly functions: string
      readonly init_dir: string
      /** 0: nothing is logged. */
      readonly slow_statement_ms: number
    }
  /**
   * Further databases, from the sections `[databases.<name>]`, by name. `type` names the plugin whose driver opens the
   * database; absent: any driver that accepts the URL.
   */
  readonly databases: Readonly<Record<string, DatabaseConfig & { readonly type?: string }>>
  readonly server: ServerSection
  readonly svc: SvcSection
  readonly query_defaults: {
    readonly where: boolean
    readonly order_by: boolean
    readonly limit: boolean
    readonly offset: boolean
  }
  readonly security: SecuritySection
  readonly session_variables: SessionConfig['session_variables']
  readonly introspect: {
    readonly schemas: readonly string[]
    readonly exclude: readonly string[]
    readonly mutations: boolean
    readonly crud: boolean
    readonly types: Readonly<Record<string, string>>
    readonly fields: Readonly<Record<string, string>>
  }
  readonly advise: {
    readonly ignore: readonly string[]
  }
  readonly debug: {
    readonly enabled: boolean
    readonly database_explain: boolean
    readonly expose_sql: boolean
    readonly server_timing: boolean
  }
  readonly plugins: {
    readonly preset: string
    readonly enable: readonly string[]
    readonly disable: readonly string[]
    readonly use: readonly {
      readonly package?: string
      readonly path?: string
      readonly options: Readonly<Record<string, unknown>>
    }[]
  }
}

/** Options of the section `[server]`. Plugins add their subsections by declaration merging, as optional members. */
export interface ServerSection {
  readonly host: string
  readonly port: number
  /** Time limit in milliseconds for processing a request. 0: no limit. */
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

/** Options of the section `[svc]`. Plugins add their subsections by declaration merging, as optional members. */
export interface SvcSection {
  readonly schema_file: string
  readonly output_file: string
  /** Interpreter of a schema in Python, which `svc compile` runs. Absent: it is searched. */
  readonly python?: string
  readonly python_timeout_ms: number
  readonly create_tables: boolean
  /** Maximum number of rows in a list whose request has no `limit`. A longer list is an error. 0: no limit. */
  readonly max_rows: number
  readonly max_sort_keys: number
  readonly max_group_keys: number
  readonly max_document_tokens: number
  /**
   * Maximum size in bytes of the result that one read returns to a client. A larger result is an error. 0: no limit.
   */
  readonly max_response_bytes: number
  /**
   * Validation rules of `[svc.validation]` for inputs, their fields and arguments of mutations. `svc compile` adds them
   * to those of the schema.
   */
  readonly validation: Readonly<Record<string, unknown>>
}

/**
 * Options of the section `[security]`. Plugins add their keys and subsections by declaration merging, as optional
 * members.
 */
export interface SecuritySection {
  readonly default_policy: 'authenticated' | 'public'
}
