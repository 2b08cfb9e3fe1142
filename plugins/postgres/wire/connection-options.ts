import type { ClientConfig } from 'pg'
import { type DatabaseConfig, escapePercents, sessionSettings } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'

type SslMode = DatabaseConfig['ssl_mode']

/**
 * Options of the package `pg` for each attempt to connect: with and without TLS, in the order of `sslmode`. The second
 * is used when the server refuses the first.
 */
export type ConnectionAttempts = readonly [ClientConfig, ...ClientConfig[]]

const SSL_MODES: readonly SslMode[] = ['disable', 'allow', 'prefer', 'require']
const ENCRYPTED = { rejectUnauthorized: false } as const

/** Returns values unparsed, as the text that PostgreSQL sent. */
const asText = (value: string): string => value
const TEXT_TYPES = { getTypeParser: () => asText } as unknown as NonNullable<ClientConfig['types']>

/**
 * Returns the options of the package `pg` for each attempt to connect. `sslmode`, `options` and `application_name` in
 * the URL override the configuration.
 * @throws SvcError SVC_CONFIG_INVALID when `database.url` is not a URL
 */
export function connectionAttempts(config: DatabaseConfig): ConnectionAttempts {
  const url = parseUrl(config.url)
  const urlMode = url.searchParams.get('sslmode')
  const ownOptions = url.searchParams.get('options')
  const isSocket = url.searchParams.get('host')?.startsWith('/') === true || url.hostname.startsWith('%2F')
  const base: ClientConfig = {
    application_name: url.searchParams.get('application_name') ?? 'svc',
    options: [startupOptions(config), process.env.PGOPTIONS, ownOptions].filter(Boolean).join(' '),
    types: TEXT_TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    connectionTimeoutMillis: config.connect_timeout_ms,
  }
  for (const key of ['options', 'application_name']) url.searchParams.delete(key)
  if (isSocket) return [{ ...base, connectionString: url.href, ssl: false }]
  const mode = urlMode === null ? config.ssl_mode : SSL_MODES.find((known) => known === urlMode)
  // `verify-ca`, `verify-full`: `pg` checks the certificate.
  if (mode === undefined || url.searchParams.has('ssl')) return [{ ...base, connectionString: url.href }]
  url.searchParams.delete('sslmode')
  const plain: ClientConfig = { ...base, connectionString: url.href, ssl: false }
  const encrypted: ClientConfig = { ...base, connectionString: url.href, ssl: ENCRYPTED }
  if (mode === 'disable') return [plain]
  if (mode === 'require') return [encrypted]
  return mode === 'prefer' ? [encrypted, plain] : [plain, encrypted]
}

/** Settings as start-up options, which save a round trip after connecting. */
function startupOptions(config: DatabaseConfig): string {
  return sessionSettings(config)
    .map(({ name, value }) => `-c ${name}=${value}`)
    .join(' ')
}

function parseUrl(text: string): URL {
  const url = escapePercents(text)
  if (URL.canParse(url)) return new URL(url)
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    'database.url is not a URL. Write it as postgres://user:password@host:5432/database, with special characters of ' +
      'the password percent-encoded.',
  )
}
