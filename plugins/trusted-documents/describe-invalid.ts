import type { InvalidDocument } from './api.ts'

const LISTED = 10

/** Describes invalid trusted documents in one line, for a warning. @param count number of all trusted documents */
export function describeInvalid(invalid: readonly InvalidDocument[], count: number): string {
  const named = invalid.slice(0, LISTED).map(({ id, messages }) => `${id}: ${messages[0]}`)
  if (invalid.length > LISTED) named.push(`and ${invalid.length - LISTED} more`)
  return `${invalid.length} of ${count} trusted documents do not fit the schema: ${named.join('; ')}`
}
