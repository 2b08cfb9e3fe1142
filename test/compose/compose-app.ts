import type { PluginInstance } from '../../core/kernel/kernel-options.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createPglite } from '../helpers/databases.ts'
import { openApp, type TestApp } from '../helpers/open-app.ts'
import type { TestLike } from '../helpers/services.ts'

export const NOTES_SQL = `
CREATE TABLE tb_note (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL);
INSERT INTO tb_note (body) VALUES ('first');
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE FUNCTION fn_add_note(p_body text) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO tb_note (body) VALUES (p_body) RETURNING true $$;
`
export const NOTES_SCHEMA: AuthoredSchema = {
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
  queries: [
    { name: 'notes', type: '[Note!]!', sql_source: 'v_note' },
    { name: 'own_notes', type: '[Note!]!', sql_source: 'v_note', authenticated: true },
  ],
  mutations: [
    { name: 'add_note', type: 'Boolean', sql_source: 'fn_add_note', arguments: [{ name: 'body', type: 'String!' }] },
  ],
}

export const NOTES = '{ notes { body } }'
export const OWN_NOTES = '{ ownNotes { body } }'

/** The real service with the minimal preset and these plugins, in this order of the list. */
export async function openComposed(t: TestLike, plugins: readonly PluginInstance[]): Promise<TestApp> {
  return openApp(t, { kind: 'pglite', url: await createPglite(t, { sql: NOTES_SQL }) }, NOTES_SCHEMA, { plugins })
}

/** The plugins of a stage, in the order in which they run. */
export function chainOf(app: TestApp, stage: string): readonly string[] | undefined {
  return app.kernel.describe().hooks.find((chain) => chain.stage === stage)?.plugins
}
