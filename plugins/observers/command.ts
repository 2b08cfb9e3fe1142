import { type CommandHost, defineCommandRunner, EXIT, type ExitCode, printJson } from '../../core/doors/command.ts'
import { didYouMean, listNames, SvcError } from '../../core/doors/plugin.ts'
import { type DeadLetter, dropDeadLetter, listDeadLetters, retryDeadLetters, showDeadLetter } from './dead-letters.ts'
import type { ObserverOptions } from './options.ts'
import { STATUS } from './sql/statements.ts'
import { triggerSql } from './trigger-sql.ts'

type Host = CommandHost<ObserverOptions>
type Flags = Readonly<Record<string, string | boolean>>
const ACTIONS = ['status', 'dead', 'triggers']
const DEAD = ['list', 'show', 'retry', 'retry-all', 'drop']

/**
 * Runs the command `svc events status|dead|triggers`: the state of deliveries, failed deliveries, and database
 * triggers.
 */
export default defineCommandRunner<ObserverOptions>(async ({ positionals: [action, what, id], flags }, host) => {
  if (host.options.backend === 'in-memory') {
    throw usage(
      `the backend is "${host.options.backend}", whose events and dead letters only the process itself can see. It needs another backend in [observers]: "sqldb".`,
    )
  }
  switch (action) {
    case 'status':
      return withTables(() => status(flags, host))
    case 'dead':
      return withTables(() => dead(what, id, flags, host))
    case 'triggers':
      return triggers(what, id, flags, host)
    default:
      throw usage(`it knows ${listNames(ACTIONS)}, not "${action}".`)
  }
})

/** @throws SvcError SVC_TABLE_MISSING when no service has created the tables yet */
async function withTables(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== '42P01') throw cause
    const message =
      'The tables of the plugin "observers" are not there: start the service once, or run `svc tables --apply`.'
    throw new SvcError('SVC_TABLE_MISSING', message, { cause })
  }
}

async function status(flags: Flags, host: Host): Promise<ExitCode> {
  const database = await host.database()
  const [position, last, pending, lag] = (await database.query(STATUS, [], null)).rows[0]!
  const holder = `SELECT (held_until > now())::text FROM svc_event_relay WHERE name = 'observers'`
  const counts = `SELECT count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'dead') FROM svc_event_deliveries`
  const [held] = (await database.query({ name: null, text: holder }, [], null)).rows
  const [waiting, letters] = (await database.query({ name: null, text: counts }, [], null)).rows[0]!
  const found = {
    backend: host.options.backend,
    relay: held?.[0] === 'true' ? 'active' : 'none',
    position: Number(position),
    last: Number(last),
    pending: Number(pending),
    lag_seconds: Math.round(Number(lag) * 1000) / 1000,
    waiting: Number(waiting),
    dead_letters: Number(letters),
  }
  if (flags.json === true) printJson(host.io, found)
  else for (const [key, value] of Object.entries(found)) host.io.stdout(`${key.padEnd(13)} ${value}\n`)
  return EXIT.ok
}

async function dead(what: string | undefined, id: string | undefined, flags: Flags, host: Host): Promise<ExitCode> {
  switch (what) {
    case 'list': {
      const letters = await listDeadLetters(await host.database(), readLimit(flags.limit))
      if (flags.json === true) printJson(host.io, letters)
      else for (const letter of letters) host.io.stdout(`${describe(letter)}\n`)
      return EXIT.ok
    }
    case 'show': {
      const letter = await showDeadLetter(await host.database(), readId(id))
      if (letter === null) throw noLetter()
      printJson(host.io, letter)
      return EXIT.ok
    }
    case 'retry':
    case 'retry-all': {
      const count = await retryDeadLetters(await host.database(), what === 'retry' ? readId(id) : null)
      if (count === 0 && what === 'retry') throw noLetter()
      if (flags.json === true) printJson(host.io, { retried: count })
      else host.io.stdout(`${count} ${count === 1 ? 'dead letter is' : 'dead letters are'} delivered anew\n`)
      return EXIT.ok
    }
    case 'drop':
      if (!(await dropDeadLetter(await host.database(), readId(id)))) throw noLetter()
      if (flags.json === true) printJson(host.io, { dropped: id })
      else host.io.stdout(`dropped the dead letter ${id}\n`)
      return EXIT.ok
    default:
      throw usage(`dead ${what === undefined ? 'wants' : `knows no "${what}"; it knows`} ${listNames(DEAD)}.`)
  }
}

async function triggers(
  entity: string | undefined,
  table: string | undefined,
  flags: Flags,
  host: Host,
): Promise<ExitCode> {
  if (entity === undefined || table === undefined)
    throw usage('triggers wants a type and its table: svc events triggers User tb_user')
  const schema = await host.loadSchema()
  const names = [...schema.types.values()].filter(({ kind }) => kind === 'object').map(({ name }) => name)
  if (!names.includes(entity)) throw usage(`there is no type "${entity}".${didYouMean(entity, names)}`)
  const key = typeof flags.key === 'string' ? flags.key : 'id'
  const sql = await triggerSql({ entity, table, key }, await host.database())
  if (flags.json === true) printJson(host.io, { entity, table, sql })
  else host.io.stdout(sql)
  return EXIT.ok
}

function describe({
  id,
  observer,
  action,
  entity,
  entity_id: entityId,
  attempts,
  died_at: at,
  error,
}: DeadLetter): string {
  return `${id}  ${at}  ${observer} (${action})  ${entity ?? '-'} ${entityId ?? '-'}  ${attempts} attempts: ${error}`
}

function noLetter(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no dead letter with this id; `svc events dead list` shows all.')
}

function readId(id: string | undefined): string {
  if (id === undefined || !/^\d{1,18}$/.test(id))
    throw usage('dead show, retry and drop want the number of a dead letter, as `list` shows it.')
  return id
}

function readLimit(limit: string | boolean | undefined): number {
  const count = Number(limit ?? 50)
  if (!Number.isSafeInteger(count) || count < 1 || count > 1_000_000) throw usage('--limit wants a number.')
  return count
}

function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', `svc events: ${message}`)
}
