import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { replaceFile } from '../base/util/replace-file.ts'
import type { AuthoredSchema } from '../schema/authored.ts'

/** The published JSON Schema of `schema.json`: `$id` of docs/reference/schema.schema.json. */
export const SCHEMA_JSON_SCHEMA = 'https://svc.dev/schema/schema.schema.json'

/**
 * Formats `schema.json`: `$schema` first, the order of the author, no `$place`, a newline at the end. The same schema gives the same text.
 */
export function printSchemaJson(schema: AuthoredSchema, $schema = SCHEMA_JSON_SCHEMA): string {
  const { $schema: _, ...content } = schema
  const text = JSON.stringify(
    { $schema, ...content },
    (key, value: unknown) => (key === '$place' ? undefined : value),
    2,
  )
  return `${text}\n`
}

/**
 * Writes `schema.json`. An existing `$schema` is kept, and an unchanged file is not written.
 * @param path absolute path
 * @returns `true` when it was written
 */
export async function writeSchemaJson(schema: AuthoredSchema, path: string): Promise<boolean> {
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  const text = printSchemaJson(schema, /^\s*\{\s*"\$schema"\s*:\s*"([^"\\]+)"/.exec(before)?.[1])
  if (text === before) return false
  await replaceFile(path, text)
  return true
}
