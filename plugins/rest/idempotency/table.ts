import type { TableDefinition } from '../../../core/doors/plugin.ts'

const SQL = `CREATE TABLE IF NOT EXISTS svc_idempotency (
  id text PRIMARY KEY,
  fingerprint text NOT NULL,
  answer text,
  expires_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS svc_idempotency_expires_at ON svc_idempotency (expires_at);`

const MYSQL = `CREATE TABLE IF NOT EXISTS svc_idempotency (
  id varchar(255) NOT NULL PRIMARY KEY,
  fingerprint varchar(255) NOT NULL,
  answer longtext,
  expires_at bigint NOT NULL,
  INDEX svc_idempotency_expires_at (expires_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;`

/** Table of idempotency keys, each inserted in the transaction of its write. Times are milliseconds since 1970. */
export const IDEMPOTENCY_TABLE: TableDefinition = {
  name: 'svc_idempotency',
  purpose: 'Keys of POST requests with an Idempotency-Key, each committed with what its request wrote.',
  onDemand: true,
  types: {
    id: ['text', 'varchar'],
    fingerprint: ['text', 'varchar'],
    answer: ['text', 'varchar'],
    expires_at: ['int8'],
  },
  versions: [
    { columns: ['id', 'fingerprint', 'answer', 'expires_at'], sql: { postgres: SQL, sqlite: SQL, mysql: MYSQL } },
  ],
}
