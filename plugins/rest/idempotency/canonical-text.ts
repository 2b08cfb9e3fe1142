import { ExactNumber } from '../../../core/doors/front.ts'
import { writeJson } from '../../../core/doors/plugin.ts'
import { badRequest } from '../request/refusals.ts'

/** A value of JSON may have 500 levels, and stands in a row of a list. */
const DEEPEST = 600

/**
 * The JSON text of a value with the members of objects in one order: the same for bodies that say the same.
 * @throws SvcError BAD_REQUEST for what no body may be, before the stack ends
 */
export function canonicalText(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return writeJson(value) ?? ''
  if (depth > DEEPEST) throw badRequest(`The body is nested deeper than ${DEEPEST} levels.`)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join(',')}]`
  const members = value as Readonly<Record<string, unknown>>
  const texts = Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(members[key], depth + 1)}`)
  return `{${texts.join(',')}}`
}
