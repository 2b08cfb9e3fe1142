import type { TestSchema } from './test-schema.ts'

/** Notes with a body, one list and one mutation. Two notes are in the table. */
export const NOTES = {
  sql: `
CREATE TABLE tb_note (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL);
INSERT INTO tb_note (body) VALUES ('first'), ('second');
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE FUNCTION fn_add_note(p_body text) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO tb_note (body) VALUES (p_body) RETURNING true $$;
`,
  schema: {
    version: '1',
    types: [
      {
        name: 'Note',
        sql_source: 'v_note',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'body', type: 'String!' },
        ],
      },
    ],
    queries: [{ name: 'notes', type: '[Note!]!', sql_source: 'v_note' }],
    mutations: [
      { name: 'add_note', type: 'Boolean', sql_source: 'fn_add_note', arguments: [{ name: 'body', type: 'String!' }] },
    ],
  },
} as const satisfies TestSchema
