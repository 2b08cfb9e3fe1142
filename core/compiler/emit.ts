import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { canonicalJsonPretty } from '../base/util/canonical-json.ts'
import { parseJson, writeJson } from '../base/util/exact-number.ts'
import { replaceFile } from '../base/util/replace-file.ts'
import { type CompiledSchema, SCHEMA_FORMAT_VERSION } from '../schema/compiled.ts'
import { contentHash } from '../schema/content-hash.ts'

/** Puts version and hash on what the passes made. */
export function sealSchema(
  content: Omit<CompiledSchema, 'schema_format_version' | 'content_hash' | 'naming_convention'>,
): CompiledSchema {
  const unsealed = { ...content, schema_format_version: SCHEMA_FORMAT_VERSION, naming_convention: 'camelCase' as const }
  // Through JSON once: what is compared, hashed and linked is exactly what a file would hold.
  const plain = parseJson(writeJson(unsealed)) as typeof unsealed
  return { ...plain, content_hash: contentHash(plain) }
}

/** The artifact as text: canonical JSON, laid out for reading and for diffs. The same schema gives the same bytes. */
export function printCompiledSchema(compiled: CompiledSchema): string {
  return canonicalJsonPretty(compiled)
}

/** Puts the artifact in place whole: a server that reloads never reads half a file. */
export async function writeCompiledSchema(path: string, compiled: CompiledSchema): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, printCompiledSchema(compiled))
}

/** Is the file exactly what `writeCompiledSchema` would write? A file that is not there is not. */
export async function isUpToDate(path: string, compiled: CompiledSchema): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === printCompiledSchema(compiled)
}
