import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { replaceFile } from '../base/util/replace-file.ts'
import type { AuthoredSchema } from '../schema/authored.ts'

/**
 * URL of the JSON Schema for `schema.json`, which svc writes as `$schema`. It is the `$id` of
 * docs/reference/schema.schema.json.
 */
export const SCHEMA_JSON_SCHEMA = 'https://svc.dev/schema/schema.schema.json'

/**
 * Formats an authored schema as the text of `schema.json`: `$schema` first, then the keys in the author's order,
 * without `$place`. Equal schemas give equal texts.
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
 * Writes a schema that a module declares to `schema.json`. `$schema` of an existing file is kept.
 * @param path absolute path
 * @returns `false`: the file already had this content, and was not written
 */
export async function writeSchemaJson(schema: AuthoredSchema, path: string): Promise<boolean> {
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  const text = printSchemaJson(schema, /^\s*\{\s*"\$schema"\s*:\s*"([^"\\]+)"/.exec(before)?.[1])
  if (text === before) return false
  await replaceFile(path, text)
  return true
}
