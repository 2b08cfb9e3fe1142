import type { TableDefinition } from '../../contract/table.ts'

const COLUMNS = `(
  key text PRIMARY KEY,
  value text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS svc_store_expires_at ON svc_store (expires_at);`

/**
 * Definition of the table for key-value stores with the backend `sqldb`. `expires_at` is in milliseconds since 1970.
 */
export const STORE_TABLE: TableDefinition = {
  name: 'svc_store',
  purpose: 'Short-lived keys and values of plugins whose backend is "sqldb".',
  types: { key: ['text', 'varchar'], value: ['text', 'varchar'], expires_at: ['int8'] },
  versions: [
    {
      columns: ['key', 'value', 'expires_at'],
      sql: {
        postgres: `CREATE TABLE IF NOT EXISTS svc_store ${COLUMNS}`,
        sqlite: `CREATE TABLE IF NOT EXISTS svc_store ${COLUMNS}`,
        mysql: `CREATE TABLE IF NOT EXISTS svc_store (
  \`key\` varchar(700) NOT NULL PRIMARY KEY,
  value longtext NOT NULL,
  expires_at bigint NOT NULL,
  INDEX svc_store_expires_at (expires_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
      },
    },
  ],
}
