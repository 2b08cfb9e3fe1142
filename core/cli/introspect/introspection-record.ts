import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { PrintedFile } from '../../introspect/print/plan-files.ts'
import type { AuthoredSchema } from '../../schema/authored.ts'

/** Name of the file beside svc.toml that stores the schema which svc last proposed (see `IntrospectionRecord`). */
export const RECORD = 'schema.introspected.json'
const VERSION = 1

/**
 * The schema, with its source files, as svc last generated it for a project. `svc introspect --write` compares it with
 * the files to find what a person has edited since.
 */
export interface IntrospectionRecord {
  readonly schema: AuthoredSchema
  readonly files: readonly PrintedFile[]
}

/** Formats the content of the file `schema.introspected.json`. */
export function printRecord({ schema, files }: IntrospectionRecord): string {
  const note = 'Written by svc init and svc introspect --write. Commit this file, and do not edit it.'
  const texts = Object.fromEntries(files.map(({ path, text }) => [path, text.split('\n')]))
  return `${JSON.stringify({ note, version: VERSION, schema, files: texts }, null, 1)}\n`
}

/**
 * Reads the file `schema.introspected.json` of a project.
 * @returns `null` when the file does not exist: the schema was written by hand
 * @throws SvcError SVC_SCHEMA_INVALID: the file cannot be parsed, or another version of svc wrote it
 */
export async function readRecord(baseDir: string): Promise<IntrospectionRecord | null> {
  const path = join(baseDir, RECORD)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const { version, schema, files } = JSON.parse(text) as {
      readonly version: unknown
      readonly schema: AuthoredSchema
      readonly files: Readonly<Record<string, readonly string[]>>
    }
    if (version !== VERSION) throw new Error(`version ${String(version)} is not ${VERSION}`)
    return { schema, files: Object.entries(files).map(([name, lines]) => ({ path: name, text: lines.join('\n') })) }
  } catch (cause) {
    const message = `${path} is no record of svc introspect: ${(cause as Error).message}. Restore it from version control, or delete it: then the schema counts as written by hand.`
    throw new SvcError('SVC_SCHEMA_INVALID', message, { cause })
  }
}
