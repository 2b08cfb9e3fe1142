import {
  type Database,
  type Parameter,
  type Rows,
  type Statement,
  SvcError,
  storeUnavailable,
} from '../../core/doors/plugin.ts'
import { isUuid, plainId } from './key-format.ts'
import type { KeyStore, StoredKey } from './stored-key.ts'

const TABLE = 'svc_api_keys'

/** Differences between tables that svc created and existing ones (docs/plugins/api-keys.md#the-table). */
interface TableForm {
  readonly hasUuids: boolean
  readonly hasEnds: boolean
}

async function formOf(database: Database): Promise<TableForm> {
  const { relations } = await database.catalog({ relations: [TABLE], functions: [] })
  const types = new Map(relations.get(TABLE)?.columns.map(({ name, type }) => [name, type]))
  return { hasUuids: types.get('id') === 'uuid', hasEnds: types.has('expires_at') }
}

/** Each parameter appears once, in the order of the numbers. */
const FIND = `SELECT name, key_hash, scopes FROM svc_api_keys
  WHERE (id = $1 OR key_hash = $2) AND revoked_at IS NULL`
const FIND_BEFORE_END = [FIND, 'AND (expires_at IS NULL OR expires_at > CURRENT_TIMESTAMP)'].join(' ')
const LIST = 'SELECT id, name, scopes, created_at, expires_at, revoked_at FROM svc_api_keys ORDER BY created_at, id'
const LIST_WITHOUT_ENDS = LIST.replace('expires_at', 'NULL AS expires_at')
const INSERT = 'INSERT INTO svc_api_keys (id, name, key_hash, scopes) VALUES ($1, $2, $3, $4)'
const INSERT_WITH_END = 'INSERT INTO svc_api_keys (id, name, key_hash, scopes, expires_at) VALUES ($1, $2, $3, $4, $5)'
const REVOKE =
  'UPDATE svc_api_keys SET revoked_at = CURRENT_TIMESTAMP WHERE id = $1 AND revoked_at IS NULL RETURNING name'
const FIND_TO_REVOKE = 'SELECT name FROM svc_api_keys WHERE id = $1 AND revoked_at IS NULL FOR UPDATE'

function run(database: Database, text: string, parameters: readonly Parameter[], name: string | null): Promise<Rows> {
  const statement: Statement = {
    name,
    text: text.replace(/\$(\d)/g, (_, number) => database.dialect.placeholder(Number(number))),
    readOnly: text.startsWith('SELECT'),
  }
  return database.query(statement, parameters, null)
}

/**
 * Creates a store that reads API keys from the table `svc_api_keys`, without revoked and expired ones.
 * @param ready resolves when the table exists and its form is checked
 */
export function createStoredKeys(database: () => Database, ready: () => Promise<void>): KeyStore {
  let form: TableForm | null = null
  return {
    async find(id, sha256) {
      try {
        await ready()
        form ??= await formOf(database())
        const find = form.hasEnds ? FIND_BEFORE_END : FIND
        const { rows } = await run(database(), find, [idFor(form, id), sha256], 'svc_api_keys_find')
        return rows.map(([name, hash, scopes]) => ({ name: name!, hash: hash!, scopes: readScopes(scopes!) }))
      } catch (error) {
        // A failed look-up must not grant access.
        throw storeUnavailable(error)
      }
    },
  }
}

/** Returns the id for the query; `null` for an id that the table cannot contain, such as one that is no UUID. */
function idFor({ hasUuids }: TableForm, id: string | null): string | null {
  return id !== null && hasUuids && !isUuid(id) ? null : id
}

/** Parses scopes. A value that is no list of strings grants nothing. */
function readScopes(text: string): readonly string[] {
  try {
    const scopes: unknown = JSON.parse(text)
    return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []
  } catch {
    return []
  }
}

export interface ListedKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/**
 * Inserts an API key into `svc_api_keys`.
 * @param id UUID without dashes
 * @param expiresAt end of validity; `null`: the key does not expire
 * @throws SvcError SVC_TABLE_MISSING when the key expires and the table has no column `expires_at`
 */
export async function insertKey(
  database: Database,
  id: string,
  { name, hash, scopes }: StoredKey,
  expiresAt: Date | null,
): Promise<void> {
  // The format of CURRENT_TIMESTAMP, because SQLite compares strings.
  const end = expiresAt?.toISOString().slice(0, 19).replace('T', ' ')
  const zone = database.dialect.name === 'postgres' ? '+00' : ''
  const parameters = [id, name, hash, JSON.stringify(scopes)]
  if (end === undefined) {
    await run(database, INSERT, parameters, null)
    return
  }
  if (!(await formOf(database)).hasEnds) {
    const message =
      'The table svc_api_keys of this database has no column expires_at, so no key in it can end by itself. ' +
      'Leave out --expires, or run: ALTER TABLE svc_api_keys ADD COLUMN expires_at timestamptz'
    throw new SvcError('SVC_TABLE_MISSING', message)
  }
  await run(database, INSERT_WITH_END, [...parameters, `${end}${zone}`], null)
}

export async function listKeys(database: Database): Promise<readonly ListedKey[]> {
  const { hasEnds } = await formOf(database)
  const { rows } = await run(database, hasEnds ? LIST : LIST_WITHOUT_ENDS, [], null)
  return rows.map(([id, name, scopes, createdAt, expiresAt, revokedAt]) => ({
    id: plainId(id!),
    name: name!,
    scopes: readScopes(scopes!),
    createdAt: createdAt!,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
  }))
}

/**
 * Revokes an API key, which stays in the table.
 * @returns the name of the key; `null` when no unrevoked key has this id
 */
export async function revokeKey(database: Database, id: string): Promise<string | null> {
  const parameters = [idFor(await formOf(database), id)]
  if (database.dialect.name === 'mysql') return revokeInMysql(database, parameters)
  const { rows } = await run(database, REVOKE, parameters, null)
  return rows[0]?.[0] ?? null
}

/** MySQL cannot return the row that a statement changes. */
async function revokeInMysql(database: Database, parameters: readonly Parameter[]): Promise<string | null> {
  const [find, revoke] = [FIND_TO_REVOKE, REVOKE.replace(' RETURNING name', '')].map((text) => ({
    name: null,
    text: text.replace('$1', database.dialect.placeholder(1)),
  })) as [Statement, Statement]
  return database.transaction(async (session) => {
    const { rows } = await session.query(find, parameters)
    await session.query(revoke, parameters)
    return rows[0]?.[0] ?? null
  }, {})
}
