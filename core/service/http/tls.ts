import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSecureContext, type SecureVersion } from 'node:tls'
import { SvcError } from '../../base/errors/svc-error.ts'

/** Certificate and key of the HTTPS server, in PEM. */
export interface TlsMaterial {
  readonly cert: Buffer
  readonly key: Buffer
  readonly minVersion: SecureVersion
}

/** The section `[server.tls]` of `svc.toml` (docs/reference/config.md#servertls). */
export interface TlsConfig {
  readonly enabled: boolean
  readonly cert_file?: string | undefined
  readonly key_file?: string | undefined
  readonly min_version: '1.2' | '1.3'
}

async function readPem(path: string | undefined, key: string, baseDir: string): Promise<Buffer> {
  if (path === undefined)
    throw new SvcError('SVC_CONFIG_INVALID', `server.tls.enabled is true, but server.tls.${key} is not set.`)
  try {
    return await readFile(resolve(baseDir, path))
  } catch (cause) {
    throw new SvcError('SVC_CONFIG_INVALID', `server.tls.${key}: the file ${path} cannot be read.`, { cause })
  }
}

/**
 * Reads and checks certificate and key of the HTTPS server from the configured files.
 * @param baseDir folder of svc.toml, which relative paths refer to
 * @returns `null`: TLS is disabled
 * @throws SvcError SVC_CONFIG_INVALID: a file is missing, or key and certificate do not match
 */
export async function loadTls(config: TlsConfig, baseDir: string): Promise<TlsMaterial | null> {
  if (!config.enabled) return null
  const [cert, key] = await Promise.all([
    readPem(config.cert_file, 'cert_file', baseDir),
    readPem(config.key_file, 'key_file', baseDir),
  ])
  const material: TlsMaterial = { cert, key, minVersion: config.min_version === '1.3' ? 'TLSv1.3' : 'TLSv1.2' }
  try {
    createSecureContext({ ...material })
  } catch (cause) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      'server.tls: certificate and key cannot be used together (PEM expected).',
      { cause },
    )
  }
  return material
}
