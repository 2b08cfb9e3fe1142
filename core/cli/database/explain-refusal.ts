import { connect } from 'node:net'
import { SvcError } from '../../base/errors/svc-error.ts'
import { redactText } from '../../base/util/redact-text.ts'

/** The parts of a URL that messages name. */
interface Target {
  readonly host: string
  readonly port: string
  readonly user: string
  readonly database: string
  readonly hasPassword: boolean
  readonly mode: string
}

/**
 * Converts a failed connection to a PostgreSQL server to an error with one line: which part of the URL is wrong, and
 * the remedy. Other errors are returned unchanged.
 * @param url database URL that the connection used
 */
export async function explainRefusal(error: unknown, url: string): Promise<unknown> {
  if (!URL.canParse(url)) return error
  const target = targetOf(new URL(url))
  for (const cause of chainOf(error)) {
    const explain = explanationOf(cause)
    if (explain === null) continue
    const isSilent = explain === noAnswer && (await accepts(target))
    // Without the cause, which would repeat the message in the words of the driver.
    return new SvcError('SVC_DATABASE_UNREACHABLE', (isSilent ? noPostgres : explain)(target, cause.message))
  }
  return error
}

const PROBE_MS = 2000

/** Does anything accept connections at the port? */
function accepts({ host, port }: Target): Promise<boolean> {
  if (host.startsWith('/')) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) })
    const end = (isAccepted: boolean) => () => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', end(true))
    socket.once('error', end(false))
    socket.setTimeout(PROBE_MS, end(false))
  })
}

function targetOf(url: URL): Target {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  return {
    host: host === '' ? 'localhost' : host.replace(/^\[|\]$/g, ''),
    port: url.port || url.searchParams.get('port') || '5432',
    user: decodeURIComponent(url.username) || process.env.PGUSER || process.env.USER || '',
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
    hasPassword: url.password !== '' || process.env.PGPASSWORD !== undefined,
    mode: url.searchParams.get('sslmode') ?? 'prefer',
  }
}

function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  const add = (one: unknown): void => {
    if (!(one instanceof Error) || chain.includes(one)) return
    // The innermost cause is the most precise.
    if (one instanceof AggregateError) for (const each of one.errors) add(each)
    add(one.cause)
    chain.push(one)
  }
  add(error)
  return chain
}

function explanationOf(error: Error): Explain | null {
  const { code } = error as { readonly code?: unknown }
  if (typeof code === 'string' && Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!
  return BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1] ?? null
}

type Explain = (target: Target, message: string) => string

const noHost: Explain = ({ host }) =>
  `Host: "${host}" is not known. Correct the host in the URL, or the DNS of this machine.`
const noListener: Explain = ({ host, port }) =>
  host.startsWith('/')
    ? `Host: no server listens on the socket ${host}/.s.PGSQL.${port}. Start the server, or correct the folder.`
    : `Port: nothing listens on port ${port} of ${host}. Start the server, or correct host and port in the URL.`
const noAnswer: Explain = ({ host, port }) =>
  `Host: ${host} does not answer on port ${port}. Correct host and port in the URL, or open the firewall for this machine.`
const noPostgres: Explain = ({ host, port }) =>
  `Port: what listens on port ${port} of ${host} is no PostgreSQL server. Correct the port in the URL (PostgreSQL: 5432).`
const wrongPassword: Explain = ({ user, hasPassword }) =>
  hasPassword
    ? `Password: the server rejects the password of "${user}". Correct user and password in the URL; percent-encode special characters (@ is %40, / is %2F, : is %3A).`
    : `Password: the server requires a password for "${user}", and the URL has none. Write it after the user (${user}:PASSWORD@…), or set PGPASSWORD.`
const notAuthorized: Explain = (target, message) => {
  if (/no encryption|SSL off/i.test(message) && target.mode === 'disable') return needsTls(target, message)
  if (/does not exist/.test(message))
    return `User: the server has no role "${target.user}". Correct the user in the URL, or create the role.`
  return `User: the server does not let "${target.user}" in (pg_hba.conf): ${plain(message)}. Correct the user in the URL, or the rules of the server.`
}
const noDatabase: Explain = ({ database }) =>
  `Database: the server has no database "${database}". Correct the name in the URL, or create it: createdb ${JSON.stringify(database)}`
const noTls: Explain = ({ host, mode }) =>
  `TLS mode: ${host} does not offer TLS, and sslmode=${mode} requires it. Write sslmode=prefer or sslmode=disable in the URL.`
const needsTls: Explain = ({ host, mode }) =>
  `TLS mode: ${host} requires TLS, and sslmode=${mode} does not use it. Write sslmode=require in the URL.`
const badCertificate: Explain = ({ host, mode }, message) =>
  `TLS mode: sslmode=${mode} rejects the certificate of ${host} (${plain(message)}). Set NODE_EXTRA_CA_CERTS to the certificate of its authority, or write sslmode=require to encrypt without this check.`
const tooMany: Explain = ({ host }) => `${host} has no free connection. Close other programs, or raise max_connections.`
const notReady: Explain = ({ host }, message) =>
  `${host} accepts no connections now: ${plain(message)}. Try again in a moment.`

function plain(message: string): string {
  return redactText(message.trim().replaceAll(/\s*\n\s*/g, ' '))
}

/** By SQLSTATE, and by error code of Node. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  EAI_FAIL: noHost,
  ECONNREFUSED: noListener,
  ENOENT: noListener,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ECONNRESET: noPostgres,
  '28P01': wrongPassword,
  '28000': notAuthorized,
  '3D000': noDatabase,
  '42501': ({ user, database }) =>
    `Database: the role "${user}" may not connect to "${database}". Name another role in the URL, or run: GRANT CONNECT ON DATABASE`,
  '53300': tooMany,
  '57P03': notReady,
  DEPTH_ZERO_SELF_SIGNED_CERT: badCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: badCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: badCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: badCertificate,
  CERT_HAS_EXPIRED: badCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: badCertificate,
}

/** Failures of the `pg` package, which have no code. */
const BY_MESSAGE: readonly (readonly [RegExp, Explain])[] = [
  [/^What came from the database cannot be read/, noPostgres],
  [/does not support SSL/i, noTls],
  [/client password must be a string|password must be/i, wrongPassword],
  [/error establishing an SSL connection|received invalid response|unexpected (?:message|response)/i, noPostgres],
  [/timeout expired|timed? ?out|terminated unexpectedly/i, noAnswer],
]
