import type { AuthoredSchema } from '../../../core/schema/authored.ts'

/** Notes that are written and changed; a note contains its time, so that a receiver can compute the latency. */
export const NOTES_SQL = `

CREATE TABLE tb_note (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), text text NOT NULL, written float8 NOT NULL);
CREATE VIEW v_note AS SELECT id, text, written FROM tb_note;
CREATE FUNCTION fn_write_note(text text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_note (text, written) VALUES (text, extract(epoch FROM clock_timestamp()) * 1000)
  RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity', to_jsonb(tb_note)) $$;
`

/** Writes a number of note events directly: the cost of writing is not part of the figure. */
export function writeEvents(count: number): string {
  return `WITH note AS (INSERT INTO tb_note (text, written)
      SELECT 'Note number ' || g, extract(epoch FROM clock_timestamp()) * 1000 FROM generate_series(1, ${count}) g RETURNING *)
    INSERT INTO svc_outbox (kind, mutation, entity_type, entity_id, new_row)
    SELECT 'INSERT', 'writeNote', 'Note', id::text, to_jsonb(note) FROM note;
    SELECT pg_notify('svc_outbox', '')`
}

/** @param url webhook receiver of every note; `null`: no observer */
export function notesSchema(url: string | null): AuthoredSchema {
  const observer = { name: 'all_notes', entity: 'Note', event: 'INSERT', actions: [{ type: 'webhook', url }] }
  return {
    version: '1',
    types: [
      {
        name: 'Note',
        sql_source: 'v_note',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'text', type: 'String!' },
          { name: 'written', type: 'Float!' },
        ],
      },
    ],
    queries: [{ name: 'notes', type: '[Note!]!', sql_source: 'v_note' }],
    mutations: [
      {
        name: 'writeNote',
        type: 'Note',
        sql_source: 'fn_write_note',
        operation: 'CREATE',
        arguments: [{ name: 'text', type: 'String!' }],
      },
    ],
    subscriptions: [{ name: 'noteChanged', type: 'Note!', entity_type: 'Note' }],
    observers: url === null ? [] : [observer],
  }
}

export const WRITE = {
  query: 'mutation ($text: String!) { writeNote(text: $text) { id } }',
  variables: { text: 'A note' },
}
export const SUBSCRIBE = 'subscription { noteChanged { id text written } }'
