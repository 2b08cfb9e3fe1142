/**
 * Does a filter leave rows out, as far as can be told without looking at them? What is always true does not; nor does what only
 * leaves out nulls, such as a pattern that every text fits.
 * @param filter in the engine's spelling
 */
export function isEffective(filter: unknown): boolean {
  return leavesOut(filter, false)
}

/** @param negated is it the rows that do not fulfil it which are meant? */
function leavesOut(filter: unknown, negated: boolean): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  const members = Object.entries(filter)
  // `{}` is true of all rows, and its opposite of none.
  if (members.length === 0) return false
  const each = ([key, value]: readonly [string, unknown]): boolean => {
    if (key === '_not') return leavesOut(value, !negated)
    if (key === '_and' || key === '_or') {
      const parts = value as readonly unknown[]
      const oneIsEnough = (key === '_and') !== negated
      return oneIsEnough
        ? parts.some((part) => leavesOut(part, negated))
        : parts.length > 0 && parts.every((part) => leavesOut(part, negated))
    }
    if (key.startsWith('_')) return operatorLeavesOut(key, value, negated)
    if (key === 'some' || key === 'none') return true
    return leavesOut(value, negated)
  }
  return negated ? members.every(each) : members.some(each)
}

/** Operands that every text fits, by operator. */
const FITS_ALL: readonly (readonly [RegExp, RegExp])[] = [
  [/^_i?(contains|startswith|endswith)$/, /^$/],
  [/^_i?like$/, /^%+$/],
  [/^_i?regex$/, /^\^?(\.\*)*\$?$/],
]

function operatorLeavesOut(operator: string, operand: unknown, negated: boolean): boolean {
  const isEmptyList = Array.isArray(operand) && operand.length === 0
  if (operator === '_nin' && isEmptyList) return negated
  if (operator === '_in' && isEmptyList) return !negated
  if (typeof operand !== 'string' || negated) return true
  return !FITS_ALL.some(([name, all]) => name.test(operator) && all.test(operand))
}
