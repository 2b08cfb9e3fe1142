/**
 * A session variable of the database that svc sets for each request, from `[session_variables]` of svc.toml
 * (docs/guides/row-level-security.md).
 */
export interface SessionVariable {
  /** Name of the session variable: `app.tenant_id`. */
  readonly name: string
  readonly source: 'jwt' | 'header' | 'literal'
  /** Name or dotted path of the token claim with the value. Only with `source: 'jwt'`. */
  readonly claim?: string
  /** Name of the request header with the value. Only with `source: 'header'`. */
  readonly header?: string
  /** The constant value. Only with `source: 'literal'`. */
  readonly value?: string | number | boolean
  /** `true`: a request without a value is rejected. `false`: it runs without the variable. */
  readonly required: boolean
}

/** The parts of the configuration that decide session variables and the database role of a request. */
export interface SessionConfig {
  readonly session_variables: {
    readonly variables: readonly SessionVariable[]
    /** Sets the start time of the request as a variable. Default: `true` when there are variables. */
    readonly inject_started_at?: boolean
  }
  readonly database: {
    /** Claim with the database role for the statements of a request. */
    readonly role_claim?: string
    /** Database role for requests without a credential. */
    readonly anonymous_role?: string
  }
}
