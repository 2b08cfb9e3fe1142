import { type Database, type Parameter, type Rows, type Statement, storeUnavailable } from '../../core/index.ts'
import type { KeyStore, StoredKey } from './stored-key.ts'

/** Parameters stand in the order of their numbers, each once. */
const FIND = `SELECT name, key_hash, scopes FROM svc_api_keys
  WHERE (id = $1 OR key_hash = $2) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > CURRENT_TIMESTAMP)`
const INSERT = 'INSERT INTO svc_api_keys (id, name, key_hash, scopes, expires_at) VALUES ($1, $2, $3, $4, $5)'
const LIST = 'SELECT id, name, scopes, created_at, expires_at, revoked_at FROM svc_api_keys ORDER BY created_at, id'
const REVOKE =
  'UPDATE svc_api_keys SET revoked_at = CURRENT_TIMESTAMP WHERE id = $1 AND revoked_at IS NULL RETURNING name'

function run(database: Database, text: string, parameters: readonly Parameter[], name: string | null): Promise<Rows> {
  const statement: Statement = {
    name,
    text: text.replace(/\$(\d)/g, (_, number) => database.dialect.placeholder(Number(number))),
    readOnly: text.startsWith('SELECT'),
  }
  return database.query(statement, parameters, null)
}

/** Keys of the table `svc_api_keys`. */
export function createStoredKeys(database: () => Database, ready: () => Promise<void>): KeyStore {
  return {
    async find(id, sha256) {
      try {
        await ready()
        const { rows } = await run(database(), FIND, [id ?? '', sha256], 'svc_api_keys_find')
        return rows.map(([name, hash, scopes]) => ({ name: name!, hash: hash!, scopes: readScopes(scopes!) }))
      } catch (error) {
        // Nobody is let in because we could not look.
        throw storeUnavailable(error)
      }
    },
  }
}

/** What is no list of texts grants nothing. */
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

export async function insertKey(
  database: Database,
  id: string,
  { name, hash, scopes }: StoredKey,
  expiresAt: Date | null,
): Promise<void> {
  // As CURRENT_TIMESTAMP writes it, because SQLite compares texts.
  const end = expiresAt?.toISOString().slice(0, 19).replace('T', ' ')
  const zone = database.dialect.name === 'sqlite' ? '' : '+00'
  const parameters = [id, name, hash, JSON.stringify(scopes), end === undefined ? null : `${end}${zone}`]
  await run(database, INSERT, parameters, null)
}

export async function listKeys(database: Database): Promise<readonly ListedKey[]> {
  const { rows } = await run(database, LIST, [], null)
  return rows.map(([id, name, scopes, createdAt, expiresAt, revokedAt]) => ({
    id: id!,
    name: name!,
    scopes: readScopes(scopes!),
    createdAt: createdAt!,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
  }))
}

/** @returns whose it was; `null`: there is none of this id that is not revoked */
export async function revokeKey(database: Database, id: string): Promise<string | null> {
  const { rows } = await run(database, REVOKE, [id], null)
  return rows[0]?.[0] ?? null
}
