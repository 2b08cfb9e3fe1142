import { readFile } from 'node:fs/promises'
import { SvcError } from '../base/errors/svc-error.ts'
import { parseJson } from '../base/util/exact-number.ts'
import type { CompiledSchema } from './compiled.ts'

/**
 * Reads a compiled schema from a file. Its content is not checked; `linkSchema` does that.
 * @param path absolute, or relative to the working directory
 * @throws SvcError SVC_SCHEMA_NOT_FOUND (no such file), SVC_SCHEMA_FORMAT (not JSON)
 */
export async function readCompiledSchema(path: string): Promise<CompiledSchema> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new SvcError(
      'SVC_SCHEMA_NOT_FOUND',
      missing
        ? `There is no compiled schema at ${path}. Run \`svc compile\` first.`
        : `The compiled schema at ${path} cannot be read: ${(cause as Error).message}`,
      { cause },
    )
  }
  try {
    return parseJson(text) as CompiledSchema
  } catch (cause) {
    throw new SvcError(
      'SVC_SCHEMA_FORMAT',
      `The compiled schema at ${path} is not JSON (${(cause as Error).message}). Run \`svc compile\` again.`,
      { cause },
    )
  }
}
