import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { canonicalJsonPretty } from '../base/util/canonical-json.ts'
import { parseJson, writeJson } from '../base/util/exact-number.ts'
import { replaceFile } from '../base/util/replace-file.ts'
import { type CompiledSchema, SCHEMA_FORMAT_VERSION } from '../schema/compiled.ts'
import { contentHash } from '../schema/content-hash.ts'

/** Completes a compiled schema with the version of its format and the hash of its content. */
export function sealSchema(
  content: Omit<CompiledSchema, 'schema_format_version' | 'content_hash' | 'naming_convention'>,
): CompiledSchema {
  const unsealed = { ...content, schema_format_version: SCHEMA_FORMAT_VERSION, naming_convention: 'camelCase' as const }
  // Through JSON once, so that the compared, hashed and linked value is identical to the content of a file.
  const plain = parseJson(writeJson(unsealed)) as typeof unsealed
  return { ...plain, content_hash: contentHash(plain) }
}

/** Formats a compiled schema as JSON with sorted keys and line breaks. Equal schemas give equal bytes. */
export function printCompiledSchema(compiled: CompiledSchema): string {
  return canonicalJsonPretty(compiled)
}

/** Writes a compiled schema to `path`, atomically, so that a service that reloads never reads an incomplete file. */
export async function writeCompiledSchema(path: string, compiled: CompiledSchema): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, printCompiledSchema(compiled))
}

/**
 * Tests whether the file at `path` has exactly the content that `writeCompiledSchema` would write. `false` for a
 * missing file.
 */
export async function isUpToDate(path: string, compiled: CompiledSchema): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === printCompiledSchema(compiled)
}
