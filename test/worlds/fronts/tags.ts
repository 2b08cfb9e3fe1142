import type { AuthoredSchema } from '../../../core/schema/authored.ts'

/** Ids that mean something to URLs, to JSON, to SQL, or take more room than one expects. */
export const IDS: readonly string[] = [
  'a/b',
  "o'brien",
  '"quoted"',
  '100%25',
  '%2F',
  'a b?c=d&e#f',
  'a\\b',
  '$1;--',
  '{"id":1}',
  'é日本😀',
  'x'.repeat(150),
]

/** When each row was made: the hour that the west has not reached, and one that a summer time skips. */
export const MADE_AT = '2026-03-08T02:30:00+00:00'
export const MADE_ON = '2026-03-08'

const values = IDS.map((id, index) => `('${id.replaceAll("'", "''")}', 'tag ${index}', '${MADE_AT}', '${MADE_ON}')`)

export const TAGS_SQL = `
CREATE TABLE tb_tag (id text PRIMARY KEY, name text NOT NULL, made_at timestamptz NOT NULL, made_on date NOT NULL,
  took interval NOT NULL DEFAULT '1 day 02:03:04', share float8 NOT NULL DEFAULT 0.1, bytes bytea NOT NULL DEFAULT decode('00ff5c', 'hex'));
INSERT INTO tb_tag (id, name, made_at, made_on) VALUES ${values.join(', ')};
CREATE VIEW v_tag AS SELECT *, id AS pk_tag FROM tb_tag;
CREATE FUNCTION fn_rename_tag(p_id text, p_name text) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_tag SET name = p_name WHERE id = p_id
  RETURNING jsonb_build_object('status', 'updated', 'entity_id', id, 'entity', to_jsonb(tb_tag)) $$;
CREATE FUNCTION fn_create_tag(p_id text, p_name text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_tag (id, name, made_at, made_on) VALUES (p_id, p_name, '${MADE_AT}', '${MADE_ON}')
  RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity', to_jsonb(tb_tag)) $$;
CREATE FUNCTION fn_delete_tag(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_tag WHERE id = p_id
  RETURNING jsonb_build_object('status', 'deleted', 'entity_id', id, 'entity', to_jsonb(tb_tag)) $$;
`

const ID = { name: 'id', type: 'ID!' }
const NAME = { name: 'name', type: 'String!' }
const FIELDS = [
  ID,
  NAME,
  { name: 'made_at', type: 'DateTime!' },
  { name: 'made_on', type: 'Date!' },
  { name: 'share', type: 'Float!' },
]
const write = (verb: string, operation: string, args: readonly object[]) => ({
  name: `${verb}_tag`,
  type: 'Tag',
  sql_source: `fn_${verb}_tag`,
  operation,
  arguments: args,
})

/** Tags, by every way in that a schema opens. */
export const TAGS: AuthoredSchema = {
  version: '1',
  types: [{ name: 'Tag', sql_source: 'v_tag', relay: true, key_fields: ['id'], fields: FIELDS }],
  queries: [
    { name: 'tags', type: '[Tag!]!', sql_source: 'v_tag', auto_params: true },
    { name: 'paged_tags', type: '[Tag!]!', sql_source: 'v_tag', relay: true },
    { name: 'tag', type: 'Tag', sql_source: 'v_tag', arguments: [ID] },
  ],
  mutations: [
    write('create', 'CREATE', [ID, NAME]),
    write('rename', 'UPDATE', [ID, NAME]),
    write('delete', 'DELETE', [ID]),
  ],
  subscriptions: [{ name: 'tag_changed', type: 'Tag!', arguments: [{ name: 'id', type: 'ID' }] }],
} as never
