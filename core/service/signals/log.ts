import { type Logger, pino } from 'pino'
import { pluginOf } from '../../base/errors/blame.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { REDACTED, redactText } from '../../base/util/redact-text.ts'
import type { CoreSignal, Signal, SignalLevel, Signals } from '../../contract/signals.ts'
import { formatLogLine } from './format-log-line.ts'
import { createLineLimit, createPluginLineLimit, type PluginLineLimit } from './line-limit.ts'
import { redactFields } from './redact-fields.ts'

/** Format of the log: `json` has one JSON object per line, `pretty` is for people. */
export type LogFormat = 'json' | 'pretty'

type Fields = Readonly<Record<string, unknown>>

/** Returns fields, such as the trace id, for the log line that is being written; `null`: none. It must not throw. */
export type ReadLogFields = () => Readonly<Record<string, unknown>> | null

/**
 * The log of the process. `fields` are the data of a line. It writes to stderr, because stdout is for results of
 * commands.
 */
export interface RootLog {
  readonly format: LogFormat
  debug(fields: Fields, message: string): void
  info(fields: Fields, message: string): void
  warn(fields: Fields, message: string): void
  error(fields: Fields, message: string): void
  /**
   * Returns a log that adds these fields to each of its lines. The field `plugin` names the plugin that the lines
   * belong to.
   */
  child(fields: Fields): RootLog
  /** Calls `read` for each further line of this log and its children, and adds the fields that it returns. */
  addFields(read: ReadLogFields): void
}

export interface LogOptions {
  /**
   * Environment variables. `SVC_LOG_LEVEL` (default `info`) and `SVC_LOG_FORMAT` (`json` or `pretty`; default: `pretty`
   * on a terminal) are read.
   */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly write: (line: string) => void
  readonly isTerminal: boolean
  /** Secret values, such as passwords of the configuration, that are replaced in every line. */
  readonly secrets?: readonly string[]
  /** Returns the current time in milliseconds. */
  readonly now?: () => number
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const FORMATS: readonly LogFormat[] = ['json', 'pretty']

/** Creates the log of the process. @throws SvcError SVC_CONFIG_INVALID: unknown level or format */
export function createLog({ env, write, isTerminal, secrets = [], now = Date.now }: LogOptions): RootLog {
  const level = pick('SVC_LOG_LEVEL', env.SVC_LOG_LEVEL || 'info', LEVELS)
  const format = pick('SVC_LOG_FORMAT', env.SVC_LOG_FORMAT || (isTerminal ? 'pretty' : 'json'), FORMATS)
  const destination = {
    write(line: string): void {
      const clean = hideSecrets(redactText(line), secrets)
      write(format === 'pretty' ? formatLogLine(clean, isTerminal) : clean)
    },
  }
  const showStacks = level === 'debug' || level === 'trace'
  const readers: ReadLogFields[] = []
  const logger = pino(
    {
      level,
      messageKey: 'message',
      mixin: () => (readers.length === 0 ? {} : Object.assign({}, ...readers.map((read) => read()))),
      base: null,
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (name) => ({ level: name }), log: (fields) => redactFields(fields, showStacks) },
      // The formatter above has converted errors to plain objects.
      serializers: { err: (error: unknown) => error, error: (error: unknown) => error },
    },
    destination,
  )
  return toRootLog(logger, { format, target: OWN_TARGET, showStacks, readers, limit: createPluginLineLimit(now) })
}

/** Value of the field `target` in log lines that no plugin wrote. */
export const OWN_TARGET = 'svc'

interface LogParts {
  readonly format: LogFormat
  readonly target: string
  readonly showStacks: boolean
  readonly readers: ReadLogFields[]
  readonly limit: PluginLineLimit
}

function toRootLog(logger: Logger, parts: LogParts): RootLog {
  const toLine = ({ plugin, ...fields }: Fields): Fields => ({ target: plugin ?? parts.target, ...fields })
  /** Writes a line. Lines of plugins are limited per minute, because clients may cause them, except lines with an `errorId`. */
  const say = (level: 'info' | 'warn' | 'error', fields: Fields, message: string): void => {
    const { plugin } = fields
    const left = typeof plugin === 'string' && fields.errorId === undefined ? parts.limit(plugin, message) : {}
    if (left !== null) logger[level](toLine({ ...fields, ...left }), message)
  }
  return {
    format: parts.format,
    debug: (fields, message) => logger.debug(toLine(fields), message),
    info: (fields, message) => say('info', fields, message),
    warn: (fields, message) => say('warn', fields, message),
    error: (fields, message) => say('error', fields, message),
    child({ plugin, ...fields }) {
      const target = typeof plugin === 'string' ? plugin : parts.target
      return toRootLog(logger.child(redactFields(fields, parts.showStacks)), { ...parts, target })
    },
    addFields: (read) => void parts.readers.push(read),
  }
}

function pick<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value.toLowerCase())
  if (found !== undefined) return found
  const message = `${name} wants one of ${known.join(', ')}, got "${value}".${didYouMean(value.toLowerCase(), known)}`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}

function hideSecrets(line: string, secrets: readonly string[]): string {
  let clean = line
  // The line is JSON, so secrets are searched in their escaped form.
  for (const secret of secrets) clean = clean.replaceAll(JSON.stringify(secret).slice(1, -1), REDACTED)
  return clean
}

type Line = readonly [level: SignalLevel, message: string]

/** Signals without a log line. A `graphql-error` is only counted; internal failures have a `request-failed`, too. */
type Unsaid = 'graphql-error'

/** Level and message of each signal. Its fields are added to the line. */
const LINES: {
  readonly [T in Exclude<CoreSignal['type'], Unsaid>]: (signal: Extract<CoreSignal, { type: T }>) => Line
} = {
  'server-listening': ({ url }) => ['info', `listening on ${url}`],
  'server-draining': () => ['info', 'stopping: requests in flight finish, new ones are refused'],
  'server-closed': () => ['info', 'stopped'],
  'request-answered': ({ method, path, status }) => ['info', `${method} ${path} ${status}`],
  'request-failed': (signal) => [isExpected(signal) ? 'debug' : 'error', 'a request failed'],
  'settings-refused': () => ['warn', 'the database refused the role or a session variable of a request'],
  'slow-statement': ({ ms }) => ['warn', `a statement took ${ms} ms`],
  'statement-planned': ({ planning }) => [
    'debug',
    planning === 'values'
      ? 'a statement is planned with its values from now on'
      : 'a statement is planned for any values from now on',
  ],
  'generation-loaded': ({ reason }) => ['info', reason === 'boot' ? 'schema loaded' : 'schema reloaded'],
  'reload-unchanged': () => ['info', 'reload: the schema has not changed'],
  'reload-failed': () => ['error', 'reload failed; the old schema stays active'],
  'certificate-renewed': () => ['info', 'new connections get the new certificate'],
  'certificate-refused': () => ['error', 'the new certificate cannot be used; the old one is served on'],
  'after-commit-failed': () => ['error', 'an afterCommit hook failed; the write itself is committed'],
  'database-down': () => ['error', 'the database cannot be reached'],
  'database-up': () => ['info', 'the database is reachable again'],
  'connections-refused': ({ granted, wanted }) => [
    'warn',
    `the database grants ${granted} connections, database.pool_max is ${wanted}; the service goes on with ${granted}`,
  ],
  'connections-granted': () => ['info', 'the database grants more connections again'],
  'database-read-only': () => ['warn', 'the database takes no writes: its sessions are read-only'],
  'database-writable': () => ['info', 'the database takes writes again'],
  'schema-drift': ({ database }) => ['error', `the database "${database}" does not fit the compiled schema`],
  'schema-fits': ({ database }) => ['info', `the database "${database}" fits the compiled schema again`],
  'credential-refused': () => ['info', 'a credential was refused'],
  'store-down': () => ['error', 'the key-value store cannot be reached'],
  'store-up': () => ['info', 'the key-value store is reachable again'],
  'prepared-statements-off': () => ['warn', 'prepared statements are switched off'],
  warning: ({ message }) => ['warn', message],
}

/**
 * Tests for failures without a log line: further requests of an outage, which share the `errorId` of the first for a minute, and requests
 * whose client has disconnected.
 */
function isExpected({ code, error, isFirst }: Extract<CoreSignal, { type: 'request-failed' }>): boolean {
  if (code === 'SERVICE_UNAVAILABLE') return isFirst !== true
  return error instanceof SvcError && error.details?.abortedBy === 'client'
}

/**
 * Writes a log line for every signal that is emitted. Lines that clients can cause are limited per minute.
 * @returns a function that stops it
 */
export function logSignals(signals: Signals, log: RootLog, now: () => number = Date.now): () => void {
  const limit = createLineLimit(now)
  return signals.subscribe((signal) => {
    if (signal.type === 'graphql-error') return
    const left = limit(signal)
    if (left === null) return
    const { type, message: own, level: ownLevel, ...rest } = signal as Said
    const [level, message] = Object.hasOwn(LINES, type)
      ? (LINES[type as keyof typeof LINES] as (signal: Signal) => Line)(signal)
      : [ownLevel ?? 'info', own ?? type]
    const plugin = 'error' in rest ? pluginOf(rest.error) : null
    log[level]({ ...(plugin === null ? {} : { plugin }), ...rest, ...left }, message)
  })
}

/** Members that any signal may have. */
interface Said {
  readonly type: string
  readonly message?: string
  readonly level?: SignalLevel
  readonly error?: unknown
}
