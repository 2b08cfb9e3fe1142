import type { TestSchema } from './test-schema.ts'

const byId = [{ name: 'id', type: 'ID!' }]

/**
 * Users with a superior, read from rows, from documents (cards), and as an interface together with robots; and a mutation that
 * returns a user as it is. The table is empty.
 */
export const USERS = {
  sql: `
CREATE TABLE tb_user (pk_user int PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, email text, tags text[], level int,
  kind text, notes jsonb, fk_boss int);
CREATE VIEW v_user AS SELECT * FROM tb_user;
CREATE VIEW v_card AS SELECT pk_user AS pk_card, id,
  jsonb_build_object('id', id, 'user', jsonb_build_object('id', id, 'name', name, 'email', email)) AS data FROM tb_user;
CREATE VIEW v_person AS SELECT u.*, 'User' AS __typename FROM tb_user u
  UNION ALL SELECT 9, 'r1', 'R', 'r1@x.org', NULL, NULL, NULL, NULL, NULL, 'Robot';
CREATE VIEW v_robot AS SELECT 1 AS pk_robot, 'r1' AS id, 'r1@x.org' AS email;
CREATE FUNCTION fn_touch(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'updated', 'entity_type', 'User', 'entity_id', id, 'entity', to_jsonb(u)) FROM tb_user u WHERE id = p_id $$;
`,
  schema: {
    version: '1',
    enums: [{ name: 'Kind', values: [{ name: 'STAFF' }, { name: 'OTHER' }] }],
    interfaces: [
      {
        name: 'Person',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'email', type: 'String' },
        ],
      },
    ],
    types: [
      {
        name: 'User',
        sql_source: 'v_user',
        relay: true,
        implements: ['Person'],
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'name', type: 'String!' },
          { name: 'email', type: 'String' },
          { name: 'tags', type: '[String!]' },
          { name: 'level', type: 'Int' },
          { name: 'kind', type: 'Kind' },
          { name: 'notes', type: 'JSON' },
          { name: 'boss', type: 'User', relation: { from: 'fk_boss', to: 'pk_user' } },
        ],
      },
      {
        name: 'Robot',
        sql_source: 'v_robot',
        implements: ['Person'],
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'email', type: 'String' },
        ],
      },
      {
        name: 'Card',
        sql_source: 'v_card',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'user', type: 'User' },
        ],
      },
    ],
    queries: [
      { name: 'users', type: '[User!]!', sql_source: 'v_user' },
      { name: 'user', type: 'User', sql_source: 'v_user', arguments: byId },
      { name: 'user_pages', type: '[User!]!', sql_source: 'v_user', relay: true },
      { name: 'cards', type: '[Card!]!', sql_source: 'v_card' },
      { name: 'people', type: '[Person!]!', sql_source: 'v_person' },
    ],
    mutations: [{ name: 'touch', type: 'User', sql_source: 'fn_touch', operation: 'UPDATE', arguments: byId }],
  },
} as const satisfies TestSchema
