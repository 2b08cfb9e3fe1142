/**
 * Conversion functions that an author provides for a custom scalar (docs/reference/scalars.md#custom-scalars). They
 * must be synchronous.
 */
export interface ScalarFunctions {
  /** Converts a value that the database returned to the JSON value for the client. */
  readonly serialize: (value: unknown) => unknown
  /**
   * Converts a value that a client sent as variable or REST parameter to a value for SQL. Throws an Error that
   * describes the valid values.
   */
  readonly parse: (value: unknown) => unknown
  /**
   * Converts a literal in a GraphQL document (its AST node) to a value for SQL. Default: `parse` of the literal's
   * value.
   */
  readonly parseLiteral: (literal: unknown) => unknown
}

const SPELLINGS = {
  serialize: ['serialize'],
  parse: ['parse', 'parse_value', 'parseValue'],
  parseLiteral: ['parseLiteral', 'parse_literal'],
} as const satisfies Record<keyof ScalarFunctions, readonly string[]>

/**
 * Reads the conversion functions of a custom scalar from the value that the schema module exports.
 * @param exported the result of `scalar()`, or a class with static methods. Names are in camelCase or snake_case
 * (`parseLiteral`, `parse_literal`; `parse_value`)
 * @returns the functions found, bound to `exported`; empty when there are none
 */
export function scalarFunctionsOf(exported: unknown): Partial<ScalarFunctions> {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null) return {}
  const found: Record<string, unknown> = {}
  for (const [name, spellings] of Object.entries(SPELLINGS)) {
    const spelling = spellings.find((one) => typeof Reflect.get(exported, one) === 'function')
    if (spelling === undefined) continue
    const fn: unknown = Reflect.get(exported, spelling)
    if (typeof fn === 'function') found[name] = (value: unknown) => Reflect.apply(fn, exported, [value])
  }
  return found
}

export function hasScalarFunctions(exported: unknown): boolean {
  return Object.keys(scalarFunctionsOf(exported)).length > 0
}
