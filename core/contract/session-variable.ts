/** A session variable as `[session_variables]` of svc.toml says it. */
export interface SessionVariable {
  /** `app.tenant_id` */
  readonly name: string
  readonly source: 'jwt' | 'header' | 'literal'
  /** Of `jwt`: name of the claim, or a path with dots. */
  readonly claim?: string
  /** Of `header`. */
  readonly header?: string
  /** Of `literal`. */
  readonly value?: string | number | boolean
  /** A request without a value is denied; else it runs without the variable. */
  readonly required: boolean
}

/** What the statements of every request are given. */
export interface SessionConfig {
  readonly session_variables: {
    readonly variables: readonly SessionVariable[]
    /** Absent: where there are variables. */
    readonly inject_started_at?: boolean
  }
  readonly database: {
    /** Claim that names the role of the database that the request's statements run as. */
    readonly role_claim?: string
    /** Role of requests without a credential. */
    readonly anonymous_role?: string
  }
}
