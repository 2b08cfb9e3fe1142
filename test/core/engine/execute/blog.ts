import type { AuthoredSchema } from '../../../../core/schema/authored.ts'

export const ANN = '00000000-0000-4000-8000-000000000001'
export const BOB = '00000000-0000-4000-8000-000000000002'
export const NOBODY = '00000000-0000-4000-8000-00000000000f'

const RECORD = 'mutation_response'

/** A blog whose functions return every form of result (docs/guides/mutations.md). */
export const BLOG_SQL = `
CREATE TYPE post_state AS ENUM ('draft', 'live');
CREATE TYPE error_class AS ENUM ('validation', 'conflict', 'not_found');
CREATE TABLE tb_author (pk_author bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), name text NOT NULL UNIQUE);
CREATE TABLE tb_post (
  pk_post bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  fk_author bigint NOT NULL REFERENCES tb_author, title text NOT NULL CHECK (title <> ''), state post_state NOT NULL DEFAULT 'draft',
  view_count int NOT NULL DEFAULT 0, price numeric(12,2), total bigint NOT NULL DEFAULT 9007199254740993,
  created_at timestamptz NOT NULL DEFAULT '2024-05-06 07:08:09.25+00', tags text[], note text);
INSERT INTO tb_author (id, name) VALUES ('${ANN}', 'Ann'), ('${BOB}', 'Bob');
CREATE VIEW v_author AS SELECT * FROM tb_author;
CREATE VIEW v_post AS SELECT * FROM tb_post;
CREATE VIEW v_card AS SELECT id, jsonb_build_object('id', id, 'title', title, 'view_count', view_count) AS data FROM tb_post;

CREATE TYPE ${RECORD} AS (status text, message text, entity_id uuid, entity_type text, entity jsonb, updated_fields text[], cascade jsonb, metadata jsonb);
CREATE TYPE response_b AS (status text, message text, id uuid, entity_type text, data jsonb, error_code text, error_field text, metadata jsonb);
CREATE TYPE response_c AS (succeeded boolean, state_changed boolean, error_class error_class, status_detail text, http_status smallint, message text,
  entity_id uuid, entity_type text, entity jsonb, updated_fields text[], cascade jsonb, error_detail jsonb, metadata jsonb);

CREATE FUNCTION insert_post(author uuid, p_title text) RETURNS tb_post LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN
  INSERT INTO tb_post (fk_author, title, price) SELECT pk_author, p_title, 12.50 FROM tb_author WHERE id = author RETURNING * INTO r;
  RETURN r;
END $$;
-- The entity with everything flat, snake_case or camelCase by \`spelling\`.
CREATE FUNCTION entity_of(p tb_post, spelling text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE spelling WHEN 'camel' THEN jsonb_build_object('id', p.id, 'title', p.title, 'viewCount', p.view_count, 'createdAt', p.created_at,
      'state', p.state, 'price', p.price, 'total', p.total, 'tags', p.tags, 'note', p.note)
    WHEN 'partial' THEN jsonb_build_object('id', p.id, 'title', p.title)
    ELSE to_jsonb(p) END $$;

CREATE FUNCTION fn_create_post(p_author_id uuid, p_title text, p_spelling text DEFAULT 'snake') RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN
  r := insert_post(p_author_id, p_title);
  IF r.id IS NULL THEN RETURN ('failed:not_found', 'author not found', NULL, 'Post', NULL, NULL, NULL, NULL)::${RECORD}; END IF;
  RETURN ('created', 'done', r.id, 'Post', entity_of(r, p_spelling), ARRAY['title'],
    '{"updated":[{"__typename":"Author","id":"x","operation":"UPDATED","entity":{"post_count":1.10}}],"metadata":{"affected_count":1}}', '{"a":1}')::${RECORD};
END $$;
CREATE FUNCTION fn_answer(p_status text, p_message text DEFAULT NULL, p_metadata jsonb DEFAULT NULL, p_type text DEFAULT NULL) RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN
  r := insert_post('${ANN}', 'answered ' || p_status);
  RETURN (p_status, p_message, r.id, p_type, CASE WHEN p_status ~ '^(ok|noop)' THEN to_jsonb(r) END, NULL, NULL, p_metadata)::${RECORD};
END $$;
CREATE FUNCTION fn_b(p_status text) RETURNS response_b LANGUAGE sql AS $$
  SELECT p_status, 'b says', '${ANN}'::uuid, 'Author', jsonb_build_object('id', '${ANN}', 'name', 'B'), 'bad_name', 'name', NULL::jsonb $$;
CREATE FUNCTION fn_c(p_ok boolean, p_changed boolean, p_class error_class DEFAULT NULL) RETURNS response_c LANGUAGE sql AS $$
  SELECT p_ok, p_changed, p_class, 'detail', NULL::smallint, 'c says', '${ANN}'::uuid, 'Author', jsonb_build_object('id', '${ANN}', 'name', 'C'),
    NULL::text[], NULL::jsonb, '{"field":"name"}'::jsonb, NULL::jsonb $$;
CREATE FUNCTION fn_id_only(p_title text) RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN r := insert_post('${ANN}', p_title);
  RETURN ('created', NULL, r.id, 'Post', NULL, NULL, NULL, NULL)::${RECORD}; END $$;
CREATE FUNCTION fn_partial(p_title text) RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN r := insert_post('${ANN}', p_title);
  RETURN ('created', NULL, NULL, NULL, jsonb_build_object('title', p_title), NULL, NULL, NULL)::${RECORD}; END $$;
CREATE FUNCTION fn_uuid(p_title text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN IF p_title = 'nothing' THEN RETURN NULL; END IF; r := insert_post('${ANN}', p_title);
  IF p_title = 'stranger' THEN RETURN '${NOBODY}'; END IF; RETURN r.id; END $$;
CREATE FUNCTION fn_uuids(p_titles text[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE r tb_post; x text; ids uuid[] := '{}'; BEGIN
  FOREACH x IN ARRAY p_titles LOOP r := insert_post('${ANN}', x); ids := r.id || ids; END LOOP; RETURN ids; END $$;
CREATE FUNCTION fn_delete(p_id uuid) RETURNS uuid LANGUAGE sql AS $$ DELETE FROM tb_post WHERE id = p_id RETURNING id $$;
CREATE FUNCTION fn_bool(p_value boolean) RETURNS boolean LANGUAGE sql AS $$ SELECT p_value $$;
CREATE FUNCTION fn_int(p_value int) RETURNS int LANGUAGE sql AS $$ SELECT p_value $$;
CREATE FUNCTION fn_big() RETURNS bigint LANGUAGE sql AS $$ SELECT 9223372036854775807 $$;
CREATE FUNCTION fn_decimal() RETURNS numeric LANGUAGE sql AS $$ SELECT 1.10 $$;
CREATE FUNCTION fn_state(p_state post_state) RETURNS post_state LANGUAGE sql AS $$ SELECT p_state $$;
CREATE FUNCTION fn_ints(p_values int[]) RETURNS int[] LANGUAGE sql AS $$ SELECT p_values $$;
CREATE FUNCTION fn_series(p_to int) RETURNS SETOF int LANGUAGE sql AS $$ SELECT generate_series(1, p_to) $$;
CREATE FUNCTION fn_void(p_title text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM insert_post('${ANN}', p_title); END $$;
CREATE FUNCTION fn_json(p_value jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT p_value $$;
CREATE FUNCTION fn_setof(p_titles text[]) RETURNS SETOF v_post LANGUAGE plpgsql AS $$
DECLARE x text; p tb_post; BEGIN
  FOREACH x IN ARRAY p_titles LOOP p := insert_post('${ANN}', x); RETURN QUERY SELECT * FROM v_post WHERE id = p.id; END LOOP; END $$;
CREATE FUNCTION fn_row(p_title text) RETURNS v_post LANGUAGE plpgsql AS $$
DECLARE v v_post; p tb_post; BEGIN IF p_title = 'nothing' THEN RETURN NULL; END IF;
  p := insert_post('${ANN}', p_title); SELECT * INTO v FROM v_post WHERE id = p.id; RETURN v; END $$;
CREATE FUNCTION fn_cards(p_title text) RETURNS SETOF v_card LANGUAGE plpgsql AS $$
DECLARE p tb_post; BEGIN p := insert_post('${ANN}', p_title); RETURN QUERY SELECT * FROM v_card WHERE id = p.id; END $$;
CREATE FUNCTION fn_table(p_title text) RETURNS TABLE (id uuid, title text) LANGUAGE plpgsql AS $$
DECLARE p tb_post; BEGIN p := insert_post('${ANN}', p_title); RETURN QUERY SELECT p.id, p.title; END $$;
CREATE FUNCTION fn_outcome(p_kind text) RETURNS ${RECORD} LANGUAGE sql AS $$
  SELECT CASE p_kind WHEN 'Post' THEN 'ok' WHEN 'Author' THEN 'ok' WHEN 'Alien' THEN 'ok' ELSE p_kind END, 'outcome says', NULL::uuid,
    CASE WHEN p_kind IN ('Post', 'Author', 'Alien') THEN p_kind END,
    CASE p_kind WHEN 'Post' THEN '{"id":"p","title":"T","view_count":1}'::jsonb WHEN 'Author' THEN '{"id":"a","name":"N"}' WHEN 'Alien' THEN '{"x":1}' END,
    NULL::text[], NULL::jsonb, '{"tries_left":3,"waitSeconds":"7","limit":12.50,"code":null}'::jsonb $$;
CREATE FUNCTION fn_posts_json(p_kind text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE p_kind WHEN 'two' THEN '[{"id":"1","title":"A","viewCount":1},{"id":"2","title":"B","viewCount":2}]'::jsonb
    WHEN 'none' THEN '[]' WHEN 'null' THEN NULL WHEN 'one' THEN '{"id":"1","title":"A","viewCount":1}' END $$;
CREATE FUNCTION fn_input(p_input jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT p_input $$;
CREATE FUNCTION fn_flat(p_name text, p_age int DEFAULT 42, p_states post_state[] DEFAULT NULL, p_address jsonb DEFAULT NULL, p_others jsonb DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('name', p_name, 'age', p_age, 'states', p_states, 'address', p_address, 'others', p_others) $$;
CREATE FUNCTION fn_update(p_id uuid, p_input jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('id', p_id, 'input', p_input) $$;
CREATE FUNCTION fn_swapped(first text, second text) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_array($1, $2) $$;
CREATE FUNCTION fn_styled(name text DEFAULT NULL, input jsonb DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_array(name, input) $$;
CREATE FUNCTION fn_valued(name jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_array(name) $$;
CREATE FUNCTION fn_positional(uuid, text, int DEFAULT 7) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_array($1, $2, $3) $$;
CREATE FUNCTION fn_whoami(p_text text, p_user_id text, p_groups text[], p_extra jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('text', p_text, 'user', p_user_id, 'groups', p_groups, 'extra', p_extra) $$;
CREATE FUNCTION fn_tenant(p_text text) RETURNS jsonb LANGUAGE sql AS $$ SELECT fn_whoami(p_text, NULL, NULL, NULL) $$;
CREATE FUNCTION fn_matrix(p_rows int[]) RETURNS jsonb LANGUAGE sql AS $$ SELECT to_jsonb(p_rows) $$;
CREATE FUNCTION fn_raise(p_how text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  PERFORM insert_post('${ANN}', 'before raise');
  CASE p_how
    WHEN 'plain' THEN RAISE EXCEPTION 'not today';
    WHEN 'hint' THEN RAISE EXCEPTION 'no such thing' USING HINT = 'NOT_FOUND';
    WHEN 'own' THEN RAISE EXCEPTION 'sold out' USING HINT = 'OUT_OF_STOCK', DETAIL = 'shelf 4';
    WHEN 'advice' THEN RAISE EXCEPTION 'bad' USING HINT = 'try again later';
    WHEN 'timeout' THEN RAISE EXCEPTION 'too slow' USING HINT = 'TIMEOUT';
    WHEN 'unique' THEN INSERT INTO tb_author (name) VALUES ('Ann');
    WHEN 'check' THEN PERFORM insert_post('${ANN}', '');
    WHEN 'null' THEN INSERT INTO tb_author (name) VALUES (NULL);
    WHEN 'foreign' THEN INSERT INTO tb_post (fk_author, title) VALUES (999, 'x');
    WHEN 'data' THEN PERFORM 'x'::int;
    WHEN 'privilege' THEN RAISE insufficient_privilege;
    WHEN 'division' THEN PERFORM 1 / (length(p_how) - 8);
    WHEN 'syntax' THEN EXECUTE 'SELECT * FROM nowhere';
  END CASE; RETURN true; END $$;
CREATE PROCEDURE pr_rename(p_id uuid, p_title text) LANGUAGE sql AS $$ UPDATE tb_post SET title = p_title WHERE id = p_id $$;
`

const args = (list: Record<string, string>) => Object.entries(list).map(([name, type]) => ({ name, type }))

export const BLOG: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'State',
      values: [
        { name: 'DRAFT', value: 'draft' },
        { name: 'LIVE', value: 'live' },
      ],
    },
  ],
  unions: [{ name: 'Outcome', members: ['Post', 'Author', 'TriesError', 'NotFoundError'] }],
  types: [
    {
      name: 'Author',
      sql_source: 'v_author',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'posts', type: '[Post!]!', relation: { from: 'pk_author', to: 'fk_author' } },
      ],
    },
    {
      name: 'Post',
      sql_source: 'v_post',
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'view_count', type: 'Int!' },
        { name: 'state', type: 'State!' },
        { name: 'price', type: 'Decimal' },
        { name: 'total', type: 'BigInt!' },
        { name: 'created_at', type: 'DateTime!' },
        { name: 'tags', type: '[String!]' },
        { name: 'remark', type: 'String', column: 'note' },
        { name: 'author', type: 'Author!', relation: { from: 'fk_author', to: 'pk_author' } },
      ],
    },
    {
      name: 'Card',
      sql_source: 'v_card',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'view_count', type: 'Int!' },
      ],
    },
    {
      name: 'PostPayload',
      embedded: true,
      fields: [
        { name: 'post', type: 'Post' },
        { name: 'message', type: 'String' },
        { name: 'status', type: 'String!' },
        { name: 'updated_fields', type: '[String!]!' },
        { name: 'cascade', type: 'JSON' },
      ],
    },
    {
      name: 'TriesError',
      is_error: true,
      embedded: true,
      fields: [
        { name: 'code', type: 'String!' },
        { name: 'message', type: 'String!' },
        { name: 'status', type: 'String!' },
        { name: 'tries_left', type: 'Int' },
        { name: 'wait_seconds', type: 'String' },
        { name: 'limit', type: 'Decimal' },
      ],
    },
    {
      name: 'NotFoundError',
      is_error: true,
      embedded: true,
      fields: [{ name: 'message', type: 'String!' }],
    },
  ],
  input_types: [
    { name: 'OnlyName', fields: [{ name: 'name', type: 'String' }] },
    {
      name: 'Address',
      fields: [
        { name: 'city_name', type: 'String!' },
        { name: 'state', type: 'State' },
      ],
    },
    {
      name: 'Person',
      fields: [
        { name: 'name', type: 'String!' },
        { name: 'age', type: 'Int' },
        { name: 'states', type: '[State!]' },
        { name: 'address', type: 'Address' },
        { name: 'others', type: '[Address!]' },
      ],
    },
    {
      name: 'Change',
      fields: [
        { name: 'full_name', type: 'String' },
        { name: 'state', type: 'State' },
        { name: 'price', type: 'Decimal' },
        { name: 'addresses', type: '[Address]' },
        { name: 'free', type: 'JSON' },
      ],
    },
  ],
  queries: [
    { name: 'authors', type: '[Author!]!', sql_source: 'v_author' },
    { name: 'author', type: 'Author', sql_source: 'v_author', arguments: args({ id: 'ID!' }) },
    { name: 'the_author', type: 'Author!', sql_source: 'v_author', arguments: args({ id: 'ID!' }) },
    { name: 'posts', type: '[Post!]!', sql_source: 'v_post' },
    { name: 'card', type: 'Card', sql_source: 'v_card', arguments: args({ id: 'ID!' }) },
  ],
  mutations: [
    {
      name: 'create_post',
      type: 'Post!',
      sql_source: 'fn_create_post',
      operation: 'CREATE',
      arguments: args({ author_id: 'ID!', title: 'String!', spelling: 'String' }),
    },
    {
      name: 'try_post',
      type: 'Post',
      sql_source: 'fn_create_post',
      operation: 'CREATE',
      arguments: args({ author_id: 'ID!', title: 'String!', spelling: 'String' }),
    },
    {
      name: 'pay_post',
      type: 'PostPayload',
      sql_source: 'fn_create_post',
      operation: 'CREATE',
      arguments: args({ author_id: 'ID!', title: 'String!', spelling: 'String' }),
    },
    {
      name: 'create_flag',
      type: 'Boolean!',
      sql_source: 'fn_create_post',
      operation: 'CREATE',
      arguments: args({ author_id: 'ID!', title: 'String!', spelling: 'String' }),
    },
    {
      name: 'create_id',
      type: 'ID',
      sql_source: 'fn_create_post',
      operation: 'CREATE',
      arguments: args({ author_id: 'ID!', title: 'String!', spelling: 'String' }),
    },
    {
      name: 'answer',
      type: 'Post',
      sql_source: 'fn_answer',
      arguments: args({ status: 'String!', message: 'String', metadata: 'JSON', type: 'String' }),
    },
    {
      name: 'must_answer',
      type: 'Post!',
      sql_source: 'fn_answer',
      arguments: args({ status: 'String!', message: 'String', metadata: 'JSON', type: 'String' }),
    },
    { name: 'form_b', type: 'Author', sql_source: 'fn_b', arguments: args({ status: 'String!' }) },
    {
      name: 'form_c',
      type: 'Author',
      sql_source: 'fn_c',
      arguments: args({ ok: 'Boolean!', changed: 'Boolean!', class: 'String' }),
    },
    { name: 'id_only', type: 'Post!', sql_source: 'fn_id_only', arguments: args({ title: 'String!' }) },
    { name: 'partial', type: 'Post', sql_source: 'fn_partial', arguments: args({ title: 'String!' }) },
    { name: 'by_uuid', type: 'Post!', sql_source: 'fn_uuid', arguments: args({ title: 'String!' }) },
    { name: 'maybe_uuid', type: 'Post', sql_source: 'fn_uuid', arguments: args({ title: 'String!' }) },
    { name: 'by_uuids', type: '[Post!]!', sql_source: 'fn_uuids', arguments: args({ titles: '[String!]!' }) },
    { name: 'delete_post', type: 'Post', sql_source: 'fn_delete', operation: 'DELETE', arguments: args({ id: 'ID!' }) },
    { name: 'flag', type: 'Boolean!', sql_source: 'fn_bool', arguments: args({ value: 'Boolean!' }) },
    { name: 'number', type: 'Int', sql_source: 'fn_int', arguments: args({ value: 'Int' }) },
    { name: 'big', type: 'BigInt!', sql_source: 'fn_big' },
    { name: 'decimal', type: 'Decimal!', sql_source: 'fn_decimal' },
    { name: 'state', type: 'State', sql_source: 'fn_state', arguments: args({ state: 'State' }) },
    { name: 'ints', type: '[Int!]', sql_source: 'fn_ints', arguments: args({ values: '[Int]' }) },
    { name: 'series', type: '[Int!]!', sql_source: 'fn_series', arguments: args({ to: 'Int!' }) },
    { name: 'nothing', type: 'JSON', sql_source: 'fn_void', arguments: args({ title: 'String!' }) },
    { name: 'done', type: 'Boolean!', sql_source: 'fn_void', arguments: args({ title: 'String!' }) },
    { name: 'json', type: 'JSON', sql_source: 'fn_json', arguments: args({ value: 'JSON' }) },
    { name: 'json_post', type: 'Post', sql_source: 'fn_json', arguments: args({ value: 'JSON' }) },
    { name: 'json_flag', type: 'Boolean', sql_source: 'fn_json', arguments: args({ value: 'JSON' }) },
    { name: 'setof', type: '[Post!]!', sql_source: 'fn_setof', arguments: args({ titles: '[String!]!' }) },
    { name: 'setof_one', type: 'Post', sql_source: 'fn_setof', arguments: args({ titles: '[String!]!' }) },
    { name: 'setof_must', type: 'Post!', sql_source: 'fn_setof', arguments: args({ titles: '[String!]!' }) },
    { name: 'row', type: 'Post', sql_source: 'fn_row', arguments: args({ title: 'String!' }) },
    { name: 'cards', type: '[Card!]!', sql_source: 'fn_cards', arguments: args({ title: 'String!' }) },
    { name: 'table_post', type: 'Post', sql_source: 'fn_table', arguments: args({ title: 'String!' }) },
    { name: 'outcome', type: 'Outcome', sql_source: 'fn_outcome', arguments: args({ kind: 'String!' }) },
    { name: 'posts_json', type: '[Post!]', sql_source: 'fn_posts_json', arguments: args({ kind: 'String!' }) },
    { name: 'input_json', type: 'JSON', sql_source: 'fn_input', arguments: args({ input: 'Change!' }) },
    { name: 'flat', type: 'JSON', sql_source: 'fn_flat', operation: 'CREATE', arguments: args({ input: 'Person!' }) },
    {
      name: 'update',
      type: 'JSON',
      sql_source: 'fn_update',
      operation: 'UPDATE',
      arguments: args({ id: 'ID!', input: 'Change!' }),
    },
    {
      name: 'swapped',
      type: 'JSON',
      sql_source: 'fn_swapped',
      call: 'positional',
      arguments: args({ second: 'String!', first: 'String!' }),
    },
    { name: 'any_style', type: 'JSON', sql_source: 'fn_styled', arguments: args({ input: 'OnlyName!' }) },
    {
      name: 'flat_style',
      type: 'JSON',
      sql_source: 'fn_styled',
      input_style: 'flatten',
      arguments: args({ input: 'OnlyName!' }),
    },
    { name: 'any_values', type: 'JSON', sql_source: 'fn_valued', arguments: args({ name: 'JSON' }) },
    {
      name: 'json_values',
      type: 'JSON',
      sql_source: 'fn_valued',
      input_style: 'jsonb',
      arguments: args({ name: 'JSON' }),
    },
    {
      name: 'positional',
      type: 'JSON',
      sql_source: 'fn_positional',
      arguments: args({ id: 'ID!', title: 'String!', size: 'Int' }),
    },
    { name: 'tenant', type: 'JSON', sql_source: 'fn_tenant', inject: { text: 'jwt:org.id' } },
    {
      name: 'whoami',
      type: 'JSON',
      sql_source: 'fn_whoami',
      arguments: args({ text: 'String' }),
      inject: { user_id: 'jwt:sub', groups: 'jwt:groups', extra: 'jwt:extra' },
    },
    { name: 'matrix', type: 'JSON', sql_source: 'fn_matrix', arguments: args({ rows: '[[Int!]!]!' }) },
    { name: 'raise', type: 'Boolean', sql_source: 'fn_raise', arguments: args({ how: 'String!' }) },
    { name: 'must_raise', type: 'Boolean!', sql_source: 'fn_raise', arguments: args({ how: 'String!' }) },
    {
      name: 'rename',
      type: 'Boolean',
      sql_source: 'pr_rename',
      operation: 'UPDATE',
      arguments: args({ id: 'ID!', title: 'String!' }),
    },
  ],
}
