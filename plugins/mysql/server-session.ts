import { SvcError } from '../../core/doors/plugin.ts'
import type { RawConnection } from './raw-connection.ts'
import { runText } from './run-script.ts'

/** What a connection knows about its server and its session. */
export interface ServerFacts {
  readonly isMariaDb: boolean
  /** `[10, 11]` */
  readonly version: readonly [number, number, number]
  /** Number of the session on the server. */
  readonly sessionId: number
  /**
   * Address of the other end of the connection, as the server sees it; `null`: a proxy may give the session to others.
   * With the number of the session, it identifies the connection.
   */
  readonly client: string | null
  /** Identifies the server among those behind one address. */
  readonly server: string
  /** `true`: the isolation level of the server stays, because its log needs it. */
  readonly keepsIsolation: boolean
  /** `true`: the server refuses the writes of this user. */
  readonly isReadOnly: boolean
}

/**
 * The `sql_mode` of all statements of svc. Names are quoted as in standard SQL (`"name"`), a backslash in a text is a
 * backslash, `||` joins texts, and an invalid value is an error instead of a changed value. Both servers round fractions of
 * microseconds, MariaDB with a mode of its own.
 */
const SQL_MODE = [
  'ANSI_QUOTES',
  'NO_BACKSLASH_ESCAPES',
  'PIPES_AS_CONCAT',
  'STRICT_ALL_TABLES',
  'STRICT_TRANS_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join(',')

const FACTS = `SELECT VERSION(), CONNECTION_ID(), @@hostname, @@port, @@server_id, @@global.log_bin, @@global.binlog_format,
  (${clientOf('CONNECTION_ID()')})`

/** Returns the query for the address of the client of a session. No rows, if the session has ended or has another user. */
export function clientOf(sessionId: number | 'CONNECTION_ID()'): string {
  return `SELECT HOST FROM information_schema.PROCESSLIST WHERE ID = ${sessionId}`
}

/** The greeting of a server has 32 bits of the number of the session. A proxy has numbers of its own. */
function isDirect({ threadId }: RawConnection, sessionId: number): boolean {
  return sessionId % 2 ** 32 === threadId
}

/** Reads what differs between servers, and sets up the session. @throws the error of the package `mysql2` */
export async function setUpSession(raw: RawConnection): Promise<ServerFacts> {
  const [row = []] = await runText(raw, FACTS)
  const [text, id, host, port, serverId, logs, format] = row.map(String)
  const sessionId = Number(id)
  const client = row[7]
  const [, major = '0', minor = '0', patch = '0'] = /^(\d+)\.(\d+)\.(\d+)/.exec(text ?? '') ?? []
  const isMariaDb = /mariadb/i.test(text ?? '')
  const facts: ServerFacts = {
    isMariaDb,
    version: [Number(major), Number(minor), Number(patch)],
    sessionId,
    client: isDirect(raw, sessionId) && client !== null && client !== undefined ? String(client) : null,
    server: `${host}:${port}:${serverId}`,
    keepsIsolation: logs === '1' && format === 'STATEMENT',
    isReadOnly: await readIsReadOnly(raw, isMariaDb),
  }
  await runText(raw, sessionText(facts))
  return facts
}

/**
 * Sets up the session again after COM_RESET_CONNECTION, which gives all settings the values of the server.
 * @throws the error of the package `mysql2`
 */
export async function resetSession(raw: RawConnection, facts: ServerFacts): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    raw.reset((error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
  await runText(raw, sessionText(facts))
}

/**
 * Every statement sees what was committed before it, as on PostgreSQL. A server that logs statements instead of rows
 * refuses writes at this level.
 */
export function sessionText(facts: ServerFacts): string {
  const isolation = `SESSION ${facts.isMariaDb && !isAtLeast(facts, 11, 1) ? 'tx' : 'transaction'}_isolation = 'READ-COMMITTED'`
  return [
    'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
    `SESSION sql_mode = '${facts.isMariaDb ? `${SQL_MODE},TIME_ROUND_FRACTIONAL` : SQL_MODE}'`,
    "SESSION time_zone = '+00:00'",
    'SESSION autocommit = 1',
    `SESSION ${accessMode(facts)} = 0`,
    // GROUP_CONCAT cuts off its text at this length. It is the most that every server accepts, and no packet is longer.
    'SESSION group_concat_max_len = 1073741824',
    // MariaDB ends a recursive query there without an error. Requests have a deadline.
    `SESSION ${facts.isMariaDb ? 'max_recursive_iterations' : 'cte_max_recursion_depth'} = 4294967295`,
    // A slow consumer of a stream makes the server wait.
    'SESSION net_write_timeout = 3600',
    "SESSION session_track_system_variables = '*'",
    'SESSION session_track_state_change = 1',
    ...(facts.keepsIsolation ? [] : [isolation]),
  ].join(', ')
}

/** Name of the variable that makes the transactions of the session read-only. */
export function accessMode(facts: ServerFacts): string {
  return facts.isMariaDb && !isAtLeast(facts, 11, 1) ? 'tx_read_only' : 'transaction_read_only'
}

/** Can a snapshot refuse to change rows that others have changed since? MariaDB since 10.6.18, 10.11.8, 11.0.6, 11.1.5, 11.2.4 and 11.4.2. */
export function hasSnapshotIsolation({ isMariaDb, version: [major, minor, patch] }: ServerFacts): boolean {
  if (!isMariaDb) return false
  const since: Readonly<Record<string, number>> = { '10.6': 18, '10.11': 8, '11.0': 6, '11.1': 5, '11.2': 4, '11.4': 2 }
  const first = since[`${major}.${minor}`]
  return first === undefined ? major > 11 || (major === 11 && minor > 4) : patch >= first
}

export function isAtLeast({ version: [major, minor] }: ServerFacts, wantedMajor: number, wantedMinor: number): boolean {
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

/**
 * Tests whether the server refuses the writes of the user. `read_only` does not hold for administrators.
 * @throws the error of the package `mysql2`
 */
export async function readIsReadOnly(raw: RawConnection, isMariaDb: boolean): Promise<boolean> {
  const [[isSet] = []] = await runText(raw, 'SELECT @@global.read_only')
  if (String(isSet) !== '1') return false
  const variable = isMariaDb ? '0' : '@@global.super_read_only'
  const rows = await runText(
    raw,
    `SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE IN ('SUPER', 'READ_ONLY ADMIN', 'CONNECTION_ADMIN')
      AND NOT (PRIVILEGE_TYPE = 'SUPER' AND VERSION() REGEXP '^(10[.]11|1[1-9])[.].*MariaDB') AND ${variable} = 0 LIMIT 1`,
  )
  return rows.length === 0
}

/** Which of the two servers this is. Their SQL differs, so that it cannot change later. */
export class ServerKind {
  #isMariaDb: boolean
  #isKnown = false

  /** @param expected `true`: the URL says MariaDB */
  constructor(expected: boolean) {
    this.#isMariaDb = expected
  }

  get isMariaDb(): boolean {
    this.#isKnown = true
    return this.#isMariaDb
  }

  /** @throws SvcError SERVICE_UNAVAILABLE: the dialect was chosen for the other server */
  check({ isMariaDb }: ServerFacts): void {
    if (!this.#isKnown) this.#isMariaDb = isMariaDb
    this.#isKnown = true
    if (isMariaDb === this.#isMariaDb) return
    const [is, was] = isMariaDb ? ['MariaDB', 'MySQL'] : ['MySQL', 'MariaDB']
    const message = `The server is ${is}, and svc started with the SQL of ${was}, because it could not reach the server. Start svc again`
    throw new SvcError('SERVICE_UNAVAILABLE', `${message}, or begin database.url with ${is.toLowerCase()}://.`)
  }
}
