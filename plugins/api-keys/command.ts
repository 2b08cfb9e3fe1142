import { type CommandHost, defineCommandRunner, EXIT, type ExitCode, printJson } from '../../core/doors/command.ts'
import { type Database, listNames, makeTable, SvcError } from '../../core/doors/plugin.ts'
import { digestOf, makeKey, sha256Hash } from './key-format.ts'
import { insertKey, type ListedKey, listKeys, revokeKey } from './key-table.ts'
import type { ApiKeyOptions } from './options.ts'
import { SlowHashes } from './slow-hashes.ts'
import { API_KEYS_TABLE } from './table.ts'

type Flags = Readonly<Record<string, string | boolean>>
type Host = CommandHost<ApiKeyOptions>
const ACTIONS = ['create', 'list', 'revoke']

/** Runs the command `svc keys create|list|revoke` for API keys in the table `svc_api_keys`. */
export default defineCommandRunner<ApiKeyOptions>(async ({ positionals: [action, id], flags }, host) => {
  switch (action) {
    case 'create':
      return create(flags, host)
    case 'list':
      return list(flags, host)
    case 'revoke':
      return revoke(id, flags, host)
    default:
      throw usage(`svc keys knows ${listNames(ACTIONS)}, not "${action}".`)
  }
})

async function create(flags: Flags, host: Host): Promise<ExitCode> {
  const name = typeof flags.name === 'string' ? flags.name.trim() : ''
  // The name appears in logs and audit events.
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) throw usage('svc keys create needs --name NAME: whose key it is.')
  const scopes = String(flags.scopes ?? '')
    .split(/[\s,]+/)
    .filter((scope) => scope !== '')
  const expiresAt = readEnd(flags.expires)
  const { id, key } = makeKey()
  const { hash_algorithm: algorithm, storage } = host.options
  let entry: string | null = null
  const hash = algorithm === 'argon2' ? await new SlowHashes().hash(key) : sha256Hash(digestOf(key))
  if (storage === 'env') {
    if (expiresAt !== null) throw usage('A key with storage = "env" has no end: --expires needs storage = "sqldb".')
    entry = `{ name = ${JSON.stringify(name)}, key_hash = ${JSON.stringify(hash)}, scopes = ${JSON.stringify(scopes)} }`
  } else await insertKey(await table(host), id, { name, hash, scopes }, expiresAt)
  if (entry !== null) host.io.stderr(`For [security.api_keys] static in svc.toml:\n${entry}\n`)
  if (flags.json === true) printJson(host.io, { id, name, scopes, key, ...(entry === null ? {} : { entry }) })
  else {
    host.io.stderr(`The key of "${name}", id ${id}. It is shown once and cannot be shown again:\n`)
    host.io.stdout(`${key}\n`)
  }
  return EXIT.ok
}

async function list(flags: Flags, host: Host): Promise<ExitCode> {
  if (host.options.storage === 'env') {
    const keys = host.options.static.map(({ name, scopes }) => ({ name, scopes }))
    if (flags.json === true) printJson(host.io, keys)
    else for (const { name, scopes } of keys) host.io.stdout(`${name}  ${scopes.join(' ')}\n`)
    return EXIT.ok
  }
  const keys = await listKeys(await table(host))
  if (flags.json === true) printJson(host.io, keys)
  else for (const key of keys) host.io.stdout(`${describe(key)}\n`)
  return EXIT.ok
}

function describe({ id, name, scopes, createdAt, expiresAt, revokedAt }: ListedKey): string {
  const end = revokedAt !== null ? `revoked ${revokedAt}` : expiresAt === null ? '' : `until ${expiresAt}`
  return `${id}  ${name}  ${scopes.join(' ') || '(no scopes)'}  ${createdAt}  ${end}`.trimEnd()
}

async function revoke(id: string | undefined, flags: Flags, host: Host): Promise<ExitCode> {
  if (host.options.storage === 'env') throw usage('A key with storage = "env" is revoked by taking it out of svc.toml.')
  if (id === undefined) throw usage('svc keys revoke needs the ID of a key; `svc keys list` shows them.')
  // Accepts the whole key in place of its id.
  const part = /^svc_([^.]+)\./.exec(id)?.[1] ?? id
  const name = await revokeKey(await table(host), part)
  if (name === null) {
    throw new SvcError('NOT_FOUND', 'There is no key with this id that is not revoked; `svc keys list` shows all.')
  }
  if (flags.json === true) printJson(host.io, { id: part, name, revoked: true })
  else host.io.stdout(`revoked the key of "${name}"\n`)
  return EXIT.ok
}

/** Opens the database, and creates the table if it is missing. */
async function table(host: Host): Promise<Database> {
  const database = await host.database()
  await makeTable(database, API_KEYS_TABLE)
  return database
}

function readEnd(days: string | boolean | undefined): Date | null {
  if (days === undefined) return null
  const count = Number(days)
  if (!Number.isSafeInteger(count) || count < 1 || count > 36_500) throw usage('--expires wants a number of days.')
  return new Date(Date.now() + count * 86_400_000)
}

function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', message)
}
