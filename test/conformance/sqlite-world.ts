import { ANN, BOB, NOBODY } from '../core/engine/execute/blog.ts'
import type { SqliteOptions } from '../helpers/databases.ts'
import { SQLITE_LIBRARY } from '../plugins/sqlite/library.ts'

/** The tables of `test/core/engine/execute/blog.ts` in a file. */
const BLOG = `
CREATE TABLE tb_author (pk_author INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()), name TEXT NOT NULL UNIQUE);
CREATE TABLE tb_post (
  pk_post INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()),
  fk_author BIGINT NOT NULL REFERENCES tb_author, title TEXT NOT NULL CHECK (title <> ''), state TEXT NOT NULL DEFAULT 'draft',
  view_count INT NOT NULL DEFAULT 0, price DECIMAL TEXT, total BIGINT NOT NULL DEFAULT 9007199254740993,
  created_at DATETIME NOT NULL DEFAULT '2024-05-06 07:08:09.25+00', tags JSON TEXT, note TEXT);
INSERT INTO tb_author (id, name) VALUES ('${ANN}', 'Ann'), ('${BOB}', 'Bob');
CREATE VIEW v_author AS SELECT * FROM tb_author;
CREATE VIEW v_post AS SELECT * FROM tb_post;
CREATE TABLE tv_card (id UUID NOT NULL UNIQUE, data JSON TEXT);
CREATE TRIGGER tr_card AFTER INSERT ON tb_post BEGIN
  INSERT INTO tv_card VALUES (NEW.id, json_object('id', NEW.id, 'title', NEW.title, 'view_count', NEW.view_count));
END;
CREATE VIEW v_card AS SELECT id, data FROM tv_card;
CREATE VIEW v_passing AS SELECT id, label FROM tb_shelf;
CREATE VIEW v_altered AS SELECT id, label, note FROM tb_shelf;
CREATE VIEW v_broken AS SELECT id, nullif(label, 'Shelf 2') AS label FROM tb_shelf;
`

const insert = (author: string, title: string, condition = ''): string =>
  `INSERT INTO tb_post (fk_author, title, price) SELECT pk_author, ${title}, '12.50' FROM tb_author WHERE id = ${author}${condition};`
const NEW = 'pk_post = last_insert_rowid()'
const ENTITY = `json_object('pk_post', pk_post, 'id', id, 'fk_author', fk_author, 'title', title, 'state', state, 'view_count', view_count,
  'price', json(price), 'total', total, 'created_at', created_at, 'tags', json(tags), 'note', note)`

/** The functions of the blog as scripts. */
const SCRIPTS: Readonly<Record<string, string>> = {
  fn_create_post: `-- :author_id uuid
-- :title text
-- :spelling text = 'snake'
${insert(':author_id', ':title')}
SELECT 'created' AS status, 'done' AS message, id AS entity_id, 'Post' AS entity_type,
  CASE :spelling WHEN 'camel' THEN json_object('id', id, 'title', title, 'viewCount', view_count, 'createdAt', created_at,
      'state', state, 'price', json(price), 'total', total, 'tags', json(tags), 'note', note)
    WHEN 'partial' THEN json_object('id', id, 'title', title)
    ELSE ${ENTITY} END AS entity, '["title"]' AS updated_fields,
  '{"updated":[{"__typename":"Author","id":"x","operation":"UPDATED","entity":{"post_count":1.10}}],"metadata":{"affected_count":1}}' AS cascade,
  '{"a":1}' AS metadata
FROM tb_post WHERE changes() > 0 AND ${NEW}
UNION ALL SELECT 'failed:not_found', 'author not found', NULL, 'Post', NULL, NULL, NULL, NULL WHERE changes() = 0;`,
  fn_answer: `-- :status text
-- :message text = NULL
-- :metadata json = NULL
-- :type text = NULL
${insert(`'${ANN}'`, `'answered ' || :status`)}
SELECT :status AS status, :message AS message, id AS entity_id, :type AS entity_type,
  CASE WHEN :status GLOB 'ok*' OR :status GLOB 'noop*' THEN ${ENTITY} END AS entity,
  NULL AS updated_fields, NULL AS cascade, :metadata AS metadata FROM tb_post WHERE ${NEW};`,
  fn_b: `-- :status text
SELECT :status AS status, 'b says' AS message, '${ANN}' AS id, 'Author' AS entity_type, json_object('id', '${ANN}', 'name', 'B') AS data,
  'bad_name' AS error_code, 'name' AS error_field, NULL AS metadata;`,
  fn_c: `-- :ok boolean
-- :changed boolean
-- :class text = NULL
SELECT :ok AS succeeded, :changed AS state_changed, :class AS error_class, 'detail' AS status_detail, NULL AS http_status,
  'c says' AS message, '${ANN}' AS entity_id, 'Author' AS entity_type, json_object('id', '${ANN}', 'name', 'C') AS entity,
  NULL AS updated_fields, NULL AS cascade, '{"field":"name"}' AS error_detail, NULL AS metadata;`,
  fn_id_only: `-- :title text
${insert(`'${ANN}'`, ':title')}
SELECT 'created' AS status, NULL AS message, id AS entity_id, 'Post' AS entity_type, NULL AS entity FROM tb_post WHERE ${NEW};`,
  fn_partial: `-- :title text
${insert(`'${ANN}'`, ':title')}
SELECT 'created' AS status, NULL AS message, NULL AS entity_id, NULL AS entity_type, json_object('title', :title) AS entity;`,
  fn_uuid: `-- :title text
-- returns uuid
${insert(`'${ANN}'`, ':title', " AND :title <> 'nothing'")}
SELECT CASE :title WHEN 'stranger' THEN '${NOBODY}' ELSE id END FROM tb_post WHERE changes() > 0 AND ${NEW};`,
  fn_uuids: `-- :titles json
-- returns set of uuid
INSERT INTO tb_post (fk_author, title, price)
  SELECT pk_author, value, '12.50' FROM json_each(:titles), tb_author WHERE tb_author.id = '${ANN}' ORDER BY key;
SELECT id FROM tb_post ORDER BY pk_post DESC LIMIT json_array_length(:titles);`,
  fn_delete: `-- :id uuid
-- returns uuid
DELETE FROM tb_post WHERE id = :id RETURNING id;`,
  fn_bool: '-- :value boolean\n-- returns boolean\nSELECT :value;',
  fn_int: '-- :value integer\n-- returns integer\nSELECT :value;',
  fn_big: '-- returns bigint\nSELECT 9223372036854775807;',
  fn_decimal: "-- returns numeric\nSELECT '1.10';",
  fn_state: '-- :state text\n-- returns text\nSELECT :state;',
  fn_ints: '-- :values json\n-- returns json\nSELECT :values;',
  fn_series: `-- :to integer
-- returns set of integer
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :to) SELECT i FROM n;`,
  fn_void: `-- :title text\n-- returns void\n${insert(`'${ANN}'`, ':title')}`,
  fn_json: '-- :value json\n-- returns json\nSELECT :value;',
  fn_setof: `-- :titles json
INSERT INTO tb_post (fk_author, title, price)
  SELECT pk_author, value, '12.50' FROM json_each(:titles), tb_author WHERE tb_author.id = '${ANN}' ORDER BY key;
SELECT * FROM (SELECT * FROM v_post ORDER BY pk_post DESC LIMIT json_array_length(:titles)) ORDER BY pk_post;`,
  fn_row: `-- :title text
${insert(`'${ANN}'`, ':title', " AND :title <> 'nothing'")}
SELECT * FROM v_post WHERE changes() > 0 AND ${NEW};`,
  fn_cards: `-- :title text
${insert(`'${ANN}'`, ':title')}
SELECT * FROM v_card WHERE id = (SELECT id FROM tb_post ORDER BY pk_post DESC LIMIT 1);`,
  fn_table: `-- :title text
${insert(`'${ANN}'`, ':title')}
SELECT id, title FROM tb_post ORDER BY pk_post DESC LIMIT 1;`,
  fn_outcome: `-- :kind text
SELECT CASE WHEN :kind IN ('Post', 'Author', 'Alien') THEN 'ok' ELSE :kind END AS status, 'outcome says' AS message, NULL AS entity_id,
  CASE WHEN :kind IN ('Post', 'Author', 'Alien') THEN :kind END AS entity_type,
  CASE :kind WHEN 'Post' THEN '{"id":"p","title":"T","view_count":1}' WHEN 'Author' THEN '{"id":"a","name":"N"}' WHEN 'Alien' THEN '{"x":1}' END AS entity,
  NULL AS updated_fields, NULL AS cascade, '{"tries_left":3,"waitSeconds":"7","limit":12.50,"code":null}' AS metadata;`,
  fn_posts_json: `-- :kind text
-- returns json
SELECT CASE :kind WHEN 'two' THEN '[{"id":"1","title":"A","viewCount":1},{"id":"2","title":"B","viewCount":2}]'
  WHEN 'none' THEN '[]' WHEN 'one' THEN '{"id":"1","title":"A","viewCount":1}' END;`,
  fn_input: '-- :input json\n-- returns json\nSELECT :input;',
  fn_swapped: `-- :first text
-- :second text
-- returns json
SELECT json_array(:first, :second);`,
  fn_styled: `-- :name text = NULL
-- :input json = NULL
-- returns json
SELECT json_array(:name, json(:input));`,
  fn_valued: `-- :name json
-- returns json
SELECT json_array(json(:name));`,
  fn_flat: `-- :name text
-- :age integer = 42
-- :states json = NULL
-- :address json = NULL
-- :others json = NULL
-- returns json
SELECT json_object('name', :name, 'age', :age, 'states', json(:states), 'address', json(:address), 'others', json(:others));`,
  fn_update: `-- :id uuid
-- :input json
-- returns json
SELECT json_object('id', :id, 'input', json(:input));`,
  fn_positional: `-- :id uuid
-- :title text
-- :size integer = 7
-- returns json
SELECT json_array(:id, :title, :size);`,
  fn_matrix: '-- :rows json\n-- returns json\nSELECT :rows;',
  fn_raise: `-- :how text
-- returns boolean
${insert(`'${ANN}'`, "'before raise'")}
SELECT svc_raise('', 'not today') WHERE :how = 'plain';
SELECT svc_raise('NOT_FOUND', 'no such thing') WHERE :how = 'hint';
SELECT svc_raise('OUT_OF_STOCK', 'sold out') WHERE :how = 'own';
INSERT INTO tb_author (name) SELECT 'Ann' WHERE :how = 'unique';
SELECT 1;`,
  pr_rename: '-- :id uuid\n-- :title text\n-- returns void\nUPDATE tb_post SET title = :title WHERE id = :id;',
}

/** The world of `world.ts` in a file: the same rows, the same results of the same functions. */
export const SQLITE_WORLD: SqliteOptions = { sql: `${SQLITE_LIBRARY}${BLOG}`, scripts: SCRIPTS }
