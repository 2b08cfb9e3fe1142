import { type SchemaNode, schemaAt } from './assemble-schema.ts'
import { coerceText, typesOf } from './coerce-text.ts'
import type { Fault } from './faults.ts'
import { isTable, type KeyPath, printKey, type Table } from './key-path.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface InterpolateContext {
  readonly env: Environment
  readonly schema: SchemaNode
  readonly placeOf: (path: KeyPath) => string
  /** Tests whether references in the value at a path are replaced. Other values stay as they are. */
  readonly applies: (path: KeyPath) => boolean
}

/**
 * Replaces the references `${VAR}` and `${VAR:-fallback}` to environment variables in all strings of svc.toml, in
 * place. The fallback replaces an unset or empty variable; `$${` is an escaped `${`. If the key is not a string, the
 * result is converted to its type.
 * @returns a fault for each reference that is malformed or whose variable is missing
 */
export function interpolate(values: Table, context: InterpolateContext): Fault[] {
  const faults: Fault[] = []
  walk(values, [], context, faults)
  return faults
}

/**
 * Returns the names of the environment variables that the strings of a parsed svc.toml refer to (`${VAR}`).
 * @param value parsed file, or a value in it
 * @param names set to which the names are added; the result
 */
export function listReferences(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(/\$\$\{|\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/g))
      if (name !== undefined) names.add(name)
  } else if (Array.isArray(value) || (typeof value === 'object' && value !== null)) {
    for (const part of Object.values(value)) listReferences(part, names)
  }
  return names
}

function walk(node: Table | unknown[], path: KeyPath, context: InterpolateContext, faults: Fault[]): void {
  for (const [key, value] of Object.entries(node)) {
    const at = [...path, Array.isArray(node) ? Number(key) : key]
    if (Array.isArray(value) || isTable(value)) walk(value, at, context, faults)
    else if (typeof value === 'string' && value.includes('${') && context.applies(at)) {
      const replaced = replaceReferences(value, at, context, faults)
      if (replaced === undefined) delete (node as Table)[key]
      else (node as Table)[key] = replaced
    }
  }
}

/** @returns `undefined` when a fault was added */
function replaceReferences(text: string, path: KeyPath, context: InterpolateContext, faults: Fault[]): unknown {
  const key = printKey(path)
  const place = context.placeOf(path)
  const before = faults.length
  const replaced = text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (found, inner: string | undefined) => {
    if (inner === undefined) return '${'
    const reference = found.endsWith('}') ? /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) : null
    if (reference === null) {
      const message = `${key}: "${found}" is not a reference. Write \${VAR}, \${VAR:-fallback}, or $\${ for the characters themselves`
      faults.push({ key, place, message })
      return ''
    }
    const [, name = '', fallback] = reference
    const value = context.env[name]
    if (value !== undefined && (value !== '' || fallback === undefined)) return value
    if (fallback !== undefined) return fallback
    const message = `${key} needs the environment variable ${name}, which is not set. Set it, or give a fallback: \${${name}:-…}`
    faults.push({ key, place, message })
    return ''
  })
  if (faults.length > before) return undefined
  const schema = schemaAt(context.schema, path)
  return typesOf(schema).includes('string') || !/(^|[^$])\$\{/.test(text) ? replaced : coerceText(replaced, schema)
}
