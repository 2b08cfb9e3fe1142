import type { TableDefinition } from '../../core/doors/plugin.ts'

const postgres = `CREATE TABLE IF NOT EXISTS svc_api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key_hash text NOT NULL UNIQUE,
  name text NOT NULL,
  scopes jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  expires_at timestamptz
);
CREATE INDEX IF NOT EXISTS svc_api_keys_active ON svc_api_keys (key_hash) WHERE revoked_at IS NULL;`

const sqlite = `CREATE TABLE IF NOT EXISTS svc_api_keys (
  id text PRIMARY KEY DEFAULT (lower(hex(randomblob(16)))),
  key_hash text NOT NULL UNIQUE,
  name text NOT NULL,
  scopes text NOT NULL DEFAULT '[]',
  created_at text NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at text,
  expires_at text
);
CREATE INDEX IF NOT EXISTS svc_api_keys_active ON svc_api_keys (key_hash) WHERE revoked_at IS NULL;`

const mysql = `CREATE TABLE IF NOT EXISTS svc_api_keys (
  id varchar(64) NOT NULL DEFAULT (REPLACE(UUID(), '-', '')) PRIMARY KEY,
  key_hash varchar(700) NOT NULL UNIQUE,
  name text NOT NULL,
  scopes text NOT NULL DEFAULT ('[]'),
  created_at datetime NOT NULL DEFAULT (UTC_TIMESTAMP()),
  revoked_at datetime,
  expires_at datetime
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;`

/**
 * The table of API keys (docs/plugins/api-keys.md#the-table). svc also accepts an existing table from an earlier
 * version, which may lack `expires_at` and may have ids and scopes as text.
 */
export const API_KEYS_TABLE: TableDefinition = {
  name: 'svc_api_keys',
  purpose: 'API keys of callers: hashes, never the keys themselves.',
  when: { option: 'storage', is: 'sqldb' },
  types: {
    id: ['uuid', 'text', 'varchar'],
    key_hash: ['text', 'varchar'],
    name: ['text', 'varchar'],
    scopes: ['jsonb', 'json', 'text', 'varchar'],
    created_at: ['timestamptz'],
    revoked_at: ['timestamptz'],
    expires_at: ['timestamptz'],
  },
  versions: [
    { columns: ['id', 'name', 'key_hash', 'scopes', 'created_at', 'revoked_at'], sql: { postgres, sqlite, mysql } },
  ],
}
