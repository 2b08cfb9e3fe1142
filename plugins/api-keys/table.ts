import type { TableDefinition } from '../../core/index.ts'

const columns = (time: string): string => `CREATE TABLE IF NOT EXISTS svc_api_keys (
  id text PRIMARY KEY,
  name text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  scopes text NOT NULL,
  created_at ${time} NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at ${time},
  revoked_at ${time}
)`

/** `scopes` is a JSON list. */
export const API_KEYS_TABLE: TableDefinition = {
  name: 'svc_api_keys',
  purpose: 'API keys of callers: hashes, never the keys themselves.',
  when: { option: 'storage', is: 'sqldb' },
  versions: [
    {
      columns: ['id', 'name', 'key_hash', 'scopes', 'created_at', 'expires_at', 'revoked_at'],
      sql: { postgres: columns('timestamptz'), sqlite: columns('text') },
    },
  ],
}
