import type { TableDefinition } from '../../../core/doors/plugin.ts'

const when = { option: 'backend', is: ['sqldb', 'kvstore', 'msgbus', 'mariadb'] }

/**
 * The event table, into which the statement of a mutation inserts its changes. Column `tx` precedes `position`, so that
 * a transaction has its id before it takes a position, and readers know which transactions may fill a gap.
 */
export const OUTBOX: TableDefinition = {
  name: 'svc_outbox',
  purpose: 'Committed changes, for observers. Written with the change, kept for a while, then removed.',
  when,
  types: { tx: ['xid8'], position: ['int8'], id: ['uuid'], kind: ['text'], old_row: ['jsonb'], new_row: ['jsonb'] },
  versions: [
    {
      columns: ['tx', 'position', 'id', 'kind', 'mutation', 'entity_type', 'entity_id', 'old_row', 'new_row'],
      sql: {
        postgres: `CREATE TABLE IF NOT EXISTS svc_outbox (
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL,
  mutation text,
  entity_type text,
  entity_id text,
  old_row jsonb,
  new_row jsonb,
  updated_fields jsonb,
  user_id text,
  tenant_id text
);
CREATE INDEX IF NOT EXISTS svc_outbox_tx ON svc_outbox (tx);`,
      },
    },
    {
      columns: ['traceparent'],
      sql: { postgres: 'ALTER TABLE svc_outbox ADD COLUMN IF NOT EXISTS traceparent text;' },
    },
  ],
}

/** Table with one row: the process that delivers events, the end of its lease, and the position that it has reached. */
export const RELAY: TableDefinition = {
  name: 'svc_event_relay',
  purpose: 'Which process delivers events, and how far it is.',
  when,
  types: { name: ['text'], holder: ['text'], held_until: ['timestamptz'], position: ['int8'], removed: ['int8'] },
  versions: [
    {
      columns: ['name', 'holder', 'held_until', 'position'],
      sql: {
        postgres: `CREATE TABLE IF NOT EXISTS svc_event_relay (
  name text PRIMARY KEY,
  holder text,
  held_until timestamptz NOT NULL DEFAULT '-infinity',
  position bigint NOT NULL DEFAULT 0
);`,
      },
    },
    {
      // Readers that resume send the id of their last event.
      columns: ['removed'],
      sql: {
        postgres: `ALTER TABLE svc_event_relay ADD COLUMN IF NOT EXISTS removed bigint NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS svc_outbox_id ON svc_outbox (id);`,
      },
    },
  ],
}

/**
 * Table of deliveries that wait for another attempt, and of dead letters. `next_at` = infinity: the delivery waits
 * behind another one of its queue.
 */
export const DELIVERIES: TableDefinition = {
  name: 'svc_event_deliveries',
  purpose: 'Actions of observers that wait for another attempt, and dead letters.',
  when,
  types: { id: ['int8'], event_id: ['uuid'], position: ['int8'], event: ['jsonb'], next_at: ['timestamptz'] },
  versions: [
    {
      columns: ['id', 'event_id', 'position', 'observer', 'action', 'lane', 'event', 'status', 'attempts', 'next_at'],
      sql: {
        postgres: `CREATE TABLE IF NOT EXISTS svc_event_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id uuid NOT NULL,
  position bigint NOT NULL,
  observer text NOT NULL,
  action int NOT NULL,
  action_type text NOT NULL,
  lane text NOT NULL,
  event jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'dead')),
  attempts int NOT NULL,
  max_attempts int NOT NULL,
  next_at timestamptz NOT NULL DEFAULT now(),
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (event_id, observer, action)
);
CREATE INDEX IF NOT EXISTS svc_event_deliveries_due ON svc_event_deliveries (next_at) WHERE status = 'waiting';
CREATE INDEX IF NOT EXISTS svc_event_deliveries_lane ON svc_event_deliveries (lane, position, id) WHERE status = 'waiting';
CREATE INDEX IF NOT EXISTS svc_event_deliveries_dead ON svc_event_deliveries (id) WHERE status = 'dead';`,
      },
    },
  ],
}
