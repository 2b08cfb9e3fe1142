import { OPERATOR_NAMES, OPERATORS } from '../../schema/operators/operators.ts'

/** Operators whose operand is a boolean. */
export const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(
  OPERATORS.filter((o) => o.operand === 'boolean').map((o) => o.name),
)

export function presence(value: unknown): string {
  return value === undefined ? 'a' : value === null ? 'n' : 'v'
}

/** Limit of nesting. Deeper filters share one shape, because all of them are rejected later. */
const DEEPEST = 64

/**
 * Returns the structure of a filter: its keys, which operands are null or absent, and the values of boolean operands, which the SQL
 * depends on. It contains no other values.
 */
export function filterShape(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return presence(value)
  if (depth > DEEPEST) return '!'
  if (Array.isArray(value)) return `[${value.map((item) => filterShape(item, depth + 1)).join()}]`
  let shape = '{'
  for (const [key, member] of Object.entries(value)) {
    const operand = BOOLEAN_OPERATORS.has(key) ? String(member) : presence(member)
    shape += `${JSON.stringify(key)}:${OPERATOR_NAMES.has(key) ? operand : filterShape(member, depth + 1)},`
  }
  return `${shape}}`
}
