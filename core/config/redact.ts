import { isSecretKey, REDACTED, redactText } from '../base/util/redact-text.ts'
import type { Config } from '../contract/config.ts'
import { type SchemaNode, schemaAt } from './assemble-schema.ts'
import type { KeyPath } from './key-path.ts'

/** Secrets with fewer characters are not removed from log lines, because they match ordinary words. */
const SHORTEST_SECRET = 8

/**
 * Copies the configuration for printing, as in `GET /api/v1/admin/config` (docs/plugins/admin.md): secrets become
 * `[REDACTED]`, and URLs lose user and password. A value is secret if the JSON Schema of its key has `writeOnly`, or if
 * its key, or the `name` beside it, suggests a secret (`api_key`).
 */
export function redactConfig(config: Config, schema: SchemaNode): Record<string, unknown> {
  return copy(config, [], schema, () => {}) as Record<string, unknown>
}

/**
 * Lists the secret values of the configuration, so that the log can remove them from any line. Secrets with fewer than
 * eight characters are left out, because they match ordinary words.
 */
export function listSecrets(config: Config, schema: SchemaNode): readonly string[] {
  const secrets = new Set<string>()
  copy(config, [], schema, (secret) => {
    if (typeof secret === 'string' && secret.length >= SHORTEST_SECRET) secrets.add(secret)
  })
  return [...secrets]
}

function copy(value: unknown, path: KeyPath, schema: SchemaNode, found: (secret: unknown) => void): unknown {
  if (value !== '' && isSecret(value, path, schema)) {
    for (const secret of Array.isArray(value) ? value : [value]) found(secret)
    return REDACTED
  }
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map((item, i) => copy(item, [...path, i], schema, found))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (isSecretPair(value)) {
    found(value.value)
    return { ...(copy({ ...value, value: '' }, path, schema, found) as object), value: REDACTED }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, copy(part, [...path, key], schema, found)]),
  )
}

function isSecret(value: unknown, path: KeyPath, schema: SchemaNode): boolean {
  if (schemaAt(schema, path)?.writeOnly === true) return true
  const isText = typeof value === 'string' || (Array.isArray(value) && value.some((item) => typeof item === 'string'))
  return isText && isSecretKey(lastName(path))
}

/** Is the object a name with a secret value, such as a session variable or header: `{ name = "app.encryption_key", value = "…" }`? */
function isSecretPair(value: object): value is { readonly name: string; readonly value: string } {
  const { name, value: held } = value as { readonly name?: unknown; readonly value?: unknown }
  return typeof name === 'string' && isSecretKey(name) && typeof held === 'string' && held !== ''
}

function lastName(path: KeyPath): string {
  return String(path.findLast((part) => typeof part === 'string') ?? '')
}
