/** What a custom scalar may do (spec "Other schema elements": serialize, parse, parse_literal). */
export interface ScalarFunctions {
  /** Value of the database → JSON for the client. */
  readonly serialize: (value: unknown) => unknown
  /** The client's value (variable, REST parameter) → what SQL gets. Throws an Error that says what it wants. */
  readonly parse: (value: unknown) => unknown
  /** A literal in a GraphQL document (its AST node) → what SQL gets. Default: `parse` of the literal's value. */
  readonly parseLiteral: (literal: unknown) => unknown
}

const SPELLINGS = {
  serialize: ['serialize'],
  parse: ['parse', 'parse_value', 'parseValue'],
  parseLiteral: ['parseLiteral', 'parse_literal'],
} as const satisfies Record<keyof ScalarFunctions, readonly string[]>

/**
 * The functions of a scalar as its module exports it: the result of `scalar()`, or a class with static methods, in
 * camelCase or in the spec's names.
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
