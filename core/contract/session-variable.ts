/** A session variable of `[session_variables]` in svc.toml (docs/guides/row-level-security.md). */
export interface SessionVariable {
  /** Name of the variable: `app.tenant_id`. */
  readonly name: string
  readonly source: 'jwt' | 'header' | 'literal'
  /** Source `jwt`: name or dotted path of the claim. */
  readonly claim?: string
  /** Source `header`: name of the header. */
  readonly header?: string
  /** Source `literal`: the value. */
  readonly value?: string | number | boolean
  /** `true`: a request without a value is denied. `false`: it runs without the variable. */
  readonly required: boolean
}

/** Configuration of session variables and roles. */
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
