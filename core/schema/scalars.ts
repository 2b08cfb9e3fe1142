/** What the operators, the catalog checks and the wire form of a built-in scalar follow from. */
export interface BuiltinScalar {
  readonly name: string
  readonly description: string
  readonly specifiedByUrl?: string
  /**
   * Which filter operators apply (behaviours 3.2): the operator table in `plan/operators.ts` speaks of these groups.
   */
  readonly group: 'id' | 'string' | 'number' | 'boolean' | 'datetime' | 'date' | 'time' | 'json'
  /** JSON form on the wire. Decimal, BigInt: always `string` out. */
  readonly wire: 'string' | 'number' | 'boolean' | 'json'
  /** PostgreSQL type that a document key (`data ->> 'key'`) is cast to; `null` = text as it is. */
  readonly documentCast: string | null
  /**
   * Checks and normalises a client's value (variable, REST parameter, MCP argument).
   * @returns what the engine binds: text, number, boolean, or JSON for group `json`
   * @throws Error whose message says what the scalar wants (the caller adds place and code)
   */
  readonly parse: (value: unknown) => unknown
}
