import type { SchemaNode } from './assemble-schema.ts'

/**
 * Converts the text of an environment variable, a flag or an interpolated string to the type of its configuration key:
 * numbers, `true`/`false`/`1`/`0`, arrays as JSON or comma-separated, tables as JSON. Text that cannot be converted is
 * returned unchanged, so that the validation reports the expected type.
 * @param schema JSON Schema of the key
 */
export function coerceText(text: string, schema: SchemaNode | undefined): unknown {
  const types = typesOf(schema)
  for (const type of types) {
    const value = readAs(text, type, schema)
    if (value !== undefined) return value
  }
  return text
}

/** Returns the JSON Schema types that a schema allows, the most specific first; empty when any type is allowed. */
export function typesOf(schema: SchemaNode | undefined): readonly string[] {
  const { type } = schema ?? {}
  const types = Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : []
  return [...types].sort((a, b) => Number(a === 'string') - Number(b === 'string'))
}

function readAs(text: string, type: string, schema: SchemaNode | undefined): unknown {
  const trimmed = text.trim()
  if (type === 'string') return text
  if (type === 'boolean') return { true: true, '1': true, false: false, '0': false }[trimmed.toLowerCase()]
  if (type === 'integer') return /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : undefined
  if (type === 'number') return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined
  if (type === 'object') return trimmed.startsWith('{') ? parseJson(trimmed) : undefined
  if (type !== 'array') return undefined
  if (trimmed.startsWith('[')) return parseJson(trimmed)
  if (trimmed === '') return []
  return trimmed.split(',').map((item) => coerceText(item.trim(), schema?.items as SchemaNode | undefined))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
