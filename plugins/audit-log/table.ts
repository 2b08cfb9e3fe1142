import type { TableDefinition } from '../../core/doors/plugin.ts'

const table = (time: string): string => `CREATE TABLE IF NOT EXISTS svc_audit_log (
  id text PRIMARY KEY,
  occurred_at ${time} NOT NULL,
  level text NOT NULL,
  actor text,
  action text NOT NULL,
  resource text NOT NULL,
  outcome text NOT NULL,
  reason text,
  entity_type text,
  entity_id text,
  ip text NOT NULL,
  request_id text NOT NULL
);
CREATE INDEX IF NOT EXISTS svc_audit_log_occurred_at ON svc_audit_log (occurred_at);`

const MYSQL = `CREATE TABLE IF NOT EXISTS svc_audit_log (
  id varchar(64) NOT NULL PRIMARY KEY,
  occurred_at varchar(32) NOT NULL,
  level varchar(64) NOT NULL,
  actor text,
  action text NOT NULL,
  resource text NOT NULL,
  outcome varchar(64) NOT NULL,
  reason text,
  entity_type text,
  entity_id text,
  ip varchar(64) NOT NULL,
  request_id text NOT NULL,
  INDEX svc_audit_log_occurred_at (occurred_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;`

const COLUMNS = [
  ...['id', 'occurred_at', 'level', 'actor', 'action', 'resource'],
  ...['outcome', 'reason', 'entity_type', 'entity_id', 'ip', 'request_id'],
] as const

export const AUDIT_TABLE: TableDefinition = {
  name: 'svc_audit_log',
  purpose: 'Who did what. Nothing of it is ever deleted by the service.',
  when: { option: 'sink', is: 'table' },
  types: { id: ['text', 'varchar'], occurred_at: ['timestamptz'] },
  versions: [{ columns: COLUMNS, sql: { postgres: table('timestamptz'), sqlite: table('text'), mysql: MYSQL } }],
}
