import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SvcError } from '../../../core/doors/plugin.ts'

/**
 * Reads certificates that replace the trusted certificates of Node.
 * @param key of `[observers]`
 * @param path relative to svc.toml; `undefined`: there are none
 * @throws SvcError SVC_CONFIG_INVALID
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
