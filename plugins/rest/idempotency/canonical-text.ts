import { ExactNumber, writeJson } from '../../../core/index.ts'

/** The JSON text of a value with the members of objects in one order: the same for bodies that say the same. */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return writeJson(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const members = value as Readonly<Record<string, unknown>>
  const texts = Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(members[key])}`)
  return `{${texts.join(',')}}`
}
