import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type HttpExchange, type ProcessView, SvcError } from '../../core/doors/plugin.ts'
import { readBody } from './read-body.ts'

interface Request {
  readonly path: string
  readonly validateOnly: boolean
}

/**
 * Creates the handler of `POST /reload-schema` (docs/plugins/admin.md#routes). It replies when this process uses the
 * new schema; the other workers load it at the same time.
 */
export function reloadSchema(process: ProcessView): (ctx: HttpExchange) => Promise<object> {
  return async (ctx) => {
    const { path, validateOnly } = readRequest(await readBody(ctx, ['schema_path', 'validate_only']))
    await checkFile(path)
    const started = performance.now()
    const { result } = await process.reload({ path, validateOnly }).catch((error: unknown) => {
      throw toAdminError(error, path)
    })
    const elapsed = `${Math.round(performance.now() - started)} ms`
    const messages = {
      swapped: `The schema of ${path} serves since now; it took ${elapsed}.`,
      unchanged: `The schema of ${path} is unchanged: it serves already (${elapsed}).`,
      valid: `The schema of ${path} is valid, and was not put to use (${elapsed}).`,
    }
    return { success: true, message: messages[result] }
  }
}

function readRequest({ schema_path: path, validate_only: validateOnly = false }: Record<string, unknown>): Request {
  if (typeof path !== 'string' || path.trim() === '') {
    throw new SvcError('VALIDATION_ERROR', 'schema_path is empty: it is the absolute path of a compiled schema.')
  }
  if (typeof validateOnly !== 'boolean') throw new SvcError('VALIDATION_ERROR', 'validate_only is true or false.')
  if (!isAbsolute(path)) throw new SvcError('VALIDATION_ERROR', 'schema_path has to be absolute.')
  if (path.split(/[\\/]/).includes('..')) throw new SvcError('VALIDATION_ERROR', 'schema_path may not contain "..".')
  if (/\p{Cc}/u.test(path)) throw new SvcError('VALIDATION_ERROR', 'schema_path may not contain control characters.')
  return { path, validateOnly }
}

/** Checks that the path is a regular file. Reading a pipe or a device might never end. */
async function checkFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => null)
  if (file?.isFile() !== true) throw new SvcError('PARSE_ERROR', `There is no file at ${path}.`)
}

/** Hides details of the file's content, because the path may name any file that the process can read. */
function toAdminError(error: unknown, path: string): unknown {
  if (!(error instanceof SvcError)) return error
  if (error.code === 'SVC_RELOAD_BUSY') {
    return new SvcError('CONFLICT', 'A reload is already running; try again when it is done.', { retryAfter: 1 })
  }
  if (error.code === 'SVC_SCHEMA_NOT_FOUND' || error.code === 'SVC_SCHEMA_FORMAT') {
    return new SvcError('PARSE_ERROR', `The file at ${path} is no compiled schema: it cannot be read as one.`, {
      cause: error,
    })
  }
  return error
}
