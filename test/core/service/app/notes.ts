import type { WriteContribution } from '../../../../core/contract/write-contribution.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'

/** Notes, with an outbox beside them. A note that begins with `slow` takes half a second to commit. */
export const NOTES_SQL = `
CREATE TYPE mutation_response AS (status text, message text, entity_id text, entity_type text, entity jsonb);
CREATE TABLE tb_note (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL);
CREATE VIEW v_note AS SELECT id, text FROM tb_note;
CREATE TABLE svc_outbox (id uuid PRIMARY KEY, at timestamptz NOT NULL, kind text NOT NULL, entity jsonb);
CREATE FUNCTION fn_add_note(p_text text) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE n tb_note; BEGIN
  INSERT INTO tb_note (text) VALUES (p_text) RETURNING * INTO n;
  RETURN ('created', NULL, n.id, 'Note', to_jsonb(n))::mutation_response;
END $$;
CREATE FUNCTION wait_a_while() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock(77), pg_sleep(0.5); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON tb_note DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.text LIKE 'slow%') EXECUTE FUNCTION wait_a_while();
`

export const NOTES: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Note',
      sql_source: 'v_note',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'text', type: 'String!' },
      ],
    },
  ],
  queries: [{ name: 'notes', type: '[Note!]!', sql_source: 'v_note' }],
  mutations: [
    {
      name: 'add_note',
      type: 'Note',
      sql_source: 'fn_add_note',
      operation: 'CREATE',
      arguments: [{ name: 'text', type: 'String!' }],
    },
  ],
}

export const OUTBOX: WriteContribution = {
  entity: true,
  insert: { table: 'svc_outbox', columns: { id: 'id', at: 'time', kind: 'kind', entity: 'entity' } },
}
