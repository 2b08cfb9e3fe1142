import { ExactNumber } from '../base/util/exact-number.ts'

/**
 * Returns a deep copy of values from `schema.json`. Numbers with more digits than a double (`ExactNumber`) are kept.
 */
export function copySchema<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  if (Array.isArray(value)) return value.map(copySchema) as T
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copySchema(member)])) as T
}
