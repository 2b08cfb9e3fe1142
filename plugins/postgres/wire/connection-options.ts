import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { type DatabaseConfig, escapePercents, sessionSettings } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { isServerError } from './driver-errors.ts'
import { pgModule } from './pg-module.ts'

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

/** A setting in start-up options: `-c name=value` or `--name=value`, with backslashes before spaces of the value. */
const OPTION = /(?:^|\s)(?:-c\s*|--)([\w.]+)=((?:\\.|[^\s\\])*)/g

/** Tests whether a connection pooler refused the start-up options of a connection, as PgBouncer does. */
export function isRefusalOfOptions(error: unknown): boolean {
  return isServerError(error) && error.code === '08P01' && error.message.startsWith('unsupported startup parameter')
}

/**
 * Checks that the sessions behind a pooler have the settings that the start-up options would have set. Without them,
 * values would have another format.
 * @param client connected without the options
 * @param options start-up options that the pooler has refused or ignored
 * @throws SvcError SVC_DATABASE_UNREACHABLE with the statements that set them for the role of the connection
 */
export async function checkStartupSettings(client: pg.Client, options: string): Promise<void> {
  const wanted = new Map<string, string>()
  for (const [, name, value] of options.matchAll(OPTION)) wanted.set(name!, value!.replaceAll(/\\(.)/g, '$1'))
  const names = [...wanted.keys()]
  // A connection without start-up options asks for no settings.
  if (names.length === 0) return
  const list = names.map((name) => `current_setting(${pgModule.escapeLiteral(name)}, true)`)
  const { rows } = await client.query({
    text: `SELECT ARRAY[current_user, ${list.join(', ')}] AS all`,
    rowMode: 'array',
  })
  const [user, ...values] = parseTexts(String(rows[0]?.[0]))
  const missing = names.filter((name, at) => !isSame(name, wanted.get(name)!, values[at] ?? ''))
  if (missing.length === 0) return
  const role = pgModule.escapeIdentifier(user!)
  const statements = missing.map(
    (name) => `ALTER ROLE ${role} SET ${name} = ${pgModule.escapeLiteral(wanted.get(name)!)};`,
  )
  throw new SvcError(
    'SVC_DATABASE_UNREACHABLE',
    'A connection pooler in front of the database does not pass on the settings that svc needs. Set them for the role of ' +
      `the connection, and reconnect the pooler (RECONNECT): ${statements.join(' ')}`,
  )
}

/** Reads a one-dimensional array of texts. */
function parseTexts(text: string): string[] {
  return [...text.slice(1, -1).matchAll(/"((?:\\.|[^"\\])*)"|([^,]+)/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? bare!,
  )
}

function isSame(name: string, wanted: string, value: string): boolean {
  const lower = value.toLowerCase()
  // `ISO, MDY` is ISO for output.
  if (name.toLowerCase() === 'datestyle') return lower.split(',')[0] === wanted.toLowerCase().split(',')[0]
  if (name.toLowerCase() === 'timezone')
    return lower.replace(/^etc\//, '') === wanted.toLowerCase().replace(/^etc\//, '')
  return lower === wanted.toLowerCase()
}
