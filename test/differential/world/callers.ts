/** Who asks: what the rules of the schema compare with. */
export interface Caller {
  readonly name: string
  /** A claim of the credential. */
  readonly tenants: readonly string[]
  /** A value of the request's context. */
  readonly level: number
}

export const TENANTS = ['acme', "b'olt", '%'] as const

/** One that sees nearly all, one that sees some, one that sees a few. */
export const CALLERS: readonly Caller[] = [
  { name: 'all', tenants: TENANTS, level: 9 },
  { name: 'some', tenants: [TENANTS[0], TENANTS[1]], level: 2 },
  { name: 'few', tenants: [TENANTS[1]], level: 1 },
]
