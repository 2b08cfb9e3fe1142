import { readFileSync } from 'node:fs'
import type { ConnectionOptions, SslOptions } from 'mysql2'
import { type DatabaseConfig, escapePercents } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'

type SslMode = DatabaseConfig['ssl_mode']

/**
 * Options of the package `mysql2` for each attempt to connect: with and without TLS, in the order of `ssl_mode`. The
 * second is used when the server refuses the first.
 */
export type ConnectionAttempts = readonly [ConnectionOptions, ...ConnectionOptions[]]

/** Values of `sslmode` and of MySQL's `ssl-mode` in a URL. */
const MODES: Readonly<Record<string, SslMode | 'verify-ca' | 'verify-full'>> = {
  disable: 'disable',
  disabled: 'disable',
  allow: 'allow',
  prefer: 'prefer',
  preferred: 'prefer',
  require: 'require',
  required: 'require',
  'verify-ca': 'verify-ca',
  verify_ca: 'verify-ca',
  'verify-full': 'verify-full',
  verify_identity: 'verify-full',
}
/** Parameters of a URL that svc knows. */
const PARAMETERS = ['sslmode', 'ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key', 'ssl', 'socket', 'application_name']

/**
 * Returns the options of the package `mysql2` for each attempt to connect.
 * @param config its `url` has the form `mysql://user:password@host:3306/database`. `sslmode`, `ssl-ca`, `ssl-cert` and
 *   `ssl-key` override the configuration, `socket` is the path of a Unix socket
 * @throws SvcError SVC_CONFIG_INVALID when `database.url` is not a URL, or has an unknown parameter
 */
export function connectionAttempts(config: DatabaseConfig): ConnectionAttempts {
  const url = parseUrl(config.url)
  checkParameters(url)
  const socketPath = url.searchParams.get('socket') ?? undefined
  const base: ConnectionOptions = {
    ...(socketPath === undefined
      ? { host: hostOf(url), port: url.port === '' ? 3306 : Number(url.port) }
      : { socketPath }),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: databaseOf(url),
    connectTimeout: config.connect_timeout_ms,
    enableKeepAlive: true,
    keepAliveInitialDelay: 30_000,
    charset: 'UTF8MB4_BIN',
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    rowsAsArray: true,
    jsonStrings: true,
    // SESSION_TRACK: the server reports changes of the session. PS_MULTI_RESULTS: rows of procedures in prepared statements.
    flags: ['SESSION_TRACK', 'PS_MULTI_RESULTS', '-LOCAL_FILES', '-IGNORE_SPACE'],
    connectAttributes: { program_name: url.searchParams.get('application_name') ?? 'svc' },
    trace: false,
  }
  if (socketPath !== undefined) return [base]
  const mode = modeOf(url, config)
  const plain = base
  if (mode === 'disable') return [plain]
  const encrypted = { ...base, ssl: sslOptions(url, mode) }
  if (mode === 'prefer') return [encrypted, plain]
  return mode === 'allow' ? [plain, encrypted] : [encrypted]
}

function parseUrl(text: string): URL {
  const url = escapePercents(text)
  if (URL.canParse(url) && new URL(url).hostname !== '') return new URL(url)
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    'database.url is not a URL. Write it as mysql://user:password@host:3306/database, with special characters of the ' +
      'password percent-encoded.',
  )
}

function checkParameters(url: URL): void {
  for (const name of url.searchParams.keys()) {
    if (PARAMETERS.includes(name)) continue
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `database.url has the unknown parameter "${name}". Parameters: ${PARAMETERS.join(', ')}.`,
    )
  }
}

/** The host without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1')
}

function databaseOf(url: URL): string {
  const name = decodeURIComponent(url.pathname.slice(1))
  if (name !== '' && !name.includes('/')) return name
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    'database.url names no database. Write its name after the host: mysql://user@host:3306/database.',
  )
}

function modeOf(url: URL, config: DatabaseConfig): SslMode | 'verify-ca' | 'verify-full' {
  const text = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl-mode')
  if (text === null) {
    if (url.searchParams.has('ssl-ca')) return 'verify-ca'
    if (url.searchParams.has('ssl')) return isTrue(url.searchParams.get('ssl')) ? 'require' : 'disable'
    return config.ssl_mode
  }
  const mode = MODES[text.toLowerCase()]
  if (mode !== undefined) return mode
  const known = 'disable, allow, prefer, require, verify-ca, verify-full'
  throw new SvcError('SVC_CONFIG_INVALID', `database.url has the unknown sslmode "${text}". Values: ${known}.`)
}

function isTrue(text: string | null): boolean {
  return text === '' || text === '1' || text?.toLowerCase() === 'true'
}

function sslOptions(url: URL, mode: SslMode | 'verify-ca' | 'verify-full'): SslOptions {
  const verifies = mode === 'verify-ca' || mode === 'verify-full'
  const ca = fileOf(url, 'ssl-ca')
  const cert = fileOf(url, 'ssl-cert')
  const key = fileOf(url, 'ssl-key')
  return {
    rejectUnauthorized: verifies,
    verifyIdentity: mode === 'verify-full',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}

/** The content of a file that a parameter of the URL names. */
function fileOf(url: URL, name: string): Buffer | undefined {
  const path = url.searchParams.get(name)
  if (path === null) return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SvcError('SVC_CONFIG_INVALID', `The file of "${name}" in database.url cannot be read: ${reason}`, {
      cause: error,
    })
  }
}
