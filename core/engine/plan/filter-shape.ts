import { OPERATOR_NAMES, OPERATORS } from '../../schema/operators/operators.ts'

/** Operators whose operand is a flag. */
export const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(
  OPERATORS.filter((o) => o.operand === 'boolean').map((o) => o.name),
)

export function presence(value: unknown): string {
  return value === undefined ? 'a' : value === null ? 'n' : 'v'
}

/** Depth is bounded where the filter is compiled; deeper values share one shape, because they are all refused. */
const DEEPEST = 64

/**
 * The structure of a filter: its keys, which operands are null or absent, and the flags, whose values decide the SQL. No
 * other values.
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
