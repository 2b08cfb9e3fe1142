import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SvcError } from '../../../core/doors/plugin.ts'

/**
 * Reads CA certificates that replace those of Node.js for outgoing connections.
 * @param key key of `[observers]`, for errors
 * @param path path relative to `baseDir`; `undefined`: none
 * @throws SvcError SVC_CONFIG_INVALID when the file cannot be read
 */
export async function readCa(
  key: string,
  path: string | undefined,
  baseDir: string,
): Promise<{ readonly ca?: Buffer }> {
  if (path === undefined) return {}
  const file = resolve(baseDir, path)
  const text = await readFile(file).catch((cause: unknown) => {
    throw invalid(`${key} cannot be read: ${(cause as Error).message}`, cause)
  })
  // A file without certificates would trust no server: every call would fail without a clear reason.
  if (text.includes('-----BEGIN CERTIFICATE-----')) return { ca: text }
  throw invalid(`${key}, ${file}, holds no certificate in PEM`)
}

function invalid(message: string, cause?: unknown): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[observers] ${message}.`, { cause })
}
