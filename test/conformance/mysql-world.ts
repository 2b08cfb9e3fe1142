import { ANN, BOB, NOBODY } from '../core/engine/execute/blog.ts'
import { MYSQL_LIBRARY } from '../plugins/mysql/library.ts'

/** The tables of `test/core/engine/execute/blog.ts` for MariaDB. */
const BLOG = `
CREATE TABLE tb_author (pk_author BIGINT AUTO_INCREMENT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE DEFAULT UUID(), name VARCHAR(200) NOT NULL UNIQUE);
CREATE TABLE tb_post (
  pk_post BIGINT AUTO_INCREMENT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE DEFAULT UUID(),
  fk_author BIGINT NOT NULL, FOREIGN KEY (fk_author) REFERENCES tb_author (pk_author), title VARCHAR(200) NOT NULL CHECK (title <> ''),
  state VARCHAR(20) NOT NULL DEFAULT 'draft', view_count INT NOT NULL DEFAULT 0, price DECIMAL(12,2),
  total BIGINT NOT NULL DEFAULT 9007199254740993, created_at DATETIME(6) NOT NULL DEFAULT '2024-05-06 07:08:09.25', tags JSON, note TEXT);
INSERT INTO tb_author (id, name) VALUES ('${ANN}', 'Ann'), ('${BOB}', 'Bob');
CREATE VIEW v_author AS SELECT * FROM tb_author;
CREATE VIEW v_post AS SELECT * FROM tb_post;
CREATE VIEW v_card AS SELECT id, JSON_OBJECT('id', id, 'title', title, 'view_count', view_count) AS data FROM tb_post;
CREATE VIEW v_passing AS SELECT id, label FROM tb_shelf;
CREATE VIEW v_altered AS SELECT id, label, note FROM tb_shelf;
CREATE VIEW v_broken AS SELECT id, NULLIF(label, 'Shelf 2') AS label FROM tb_shelf;
`

const ENTITY = `JSON_OBJECT('pk_post', pk_post, 'id', id, 'fk_author', fk_author, 'title', title, 'state', state, 'view_count', view_count,
  'price', price, 'total', total, 'created_at', created_at, 'tags', tags, 'note', note)`
const COLUMNS = 'id, pk_post, fk_author, title, state, view_count, price, total, created_at, tags, note'
const insert = (author: string, title: string): string =>
  `INSERT INTO tb_post (fk_author, title, price) SELECT pk_author, ${title}, 12.50 FROM tb_author WHERE id = ${author};`
const insertAll = (list: string): string => `INSERT INTO tb_post (fk_author, title, price)
    SELECT pk_author, j.v, 12.50 FROM tb_author, JSON_TABLE(${list}, '$[*]' COLUMNS (n FOR ORDINALITY, v TEXT PATH '$')) j
    WHERE tb_author.id = '${ANN}' ORDER BY j.n;`
const NEW = 'pk_post = LAST_INSERT_ID()'

/** By name and parameters: the body between BEGIN and END. */
const PROCEDURES: Readonly<Record<string, string>> = {
  'fn_create_post(p_author_id CHAR(36), p_title TEXT, p_spelling TEXT)': `${insert('p_author_id', 'p_title')}
  IF ROW_COUNT() = 0 THEN
    SELECT 'failed:not_found' AS status, 'author not found' AS message, NULL AS entity_id, 'Post' AS entity_type, NULL AS entity,
      NULL AS updated_fields, NULL AS cascade, NULL AS metadata;
  ELSE
    SELECT 'created' AS status, 'done' AS message, id AS entity_id, 'Post' AS entity_type,
      CASE p_spelling WHEN 'camel' THEN JSON_OBJECT('id', id, 'title', title, 'viewCount', view_count, 'createdAt', created_at,
          'state', state, 'price', price, 'total', total, 'tags', tags, 'note', note)
        WHEN 'partial' THEN JSON_OBJECT('id', id, 'title', title)
        ELSE ${ENTITY} END AS entity, '["title"]' AS updated_fields,
      '{"updated":[{"__typename":"Author","id":"x","operation":"UPDATED","entity":{"post_count":1.10}}],"metadata":{"affected_count":1}}' AS cascade,
      '{"a":1}' AS metadata
    FROM tb_post WHERE ${NEW};
  END IF;`,
  'fn_answer(p_status TEXT, p_message TEXT, p_metadata JSON, p_type TEXT)': `${insert(`'${ANN}'`, "CONCAT('answered ', p_status)")}
  SELECT p_status AS status, p_message AS message, id AS entity_id, p_type AS entity_type,
    CASE WHEN p_status LIKE 'ok%' OR p_status LIKE 'noop%' THEN ${ENTITY} END AS entity,
    NULL AS updated_fields, NULL AS cascade, p_metadata AS metadata FROM tb_post WHERE ${NEW};`,
  'fn_b(p_status TEXT)': `SELECT p_status AS status, 'b says' AS message, '${ANN}' AS id, 'Author' AS entity_type,
    JSON_OBJECT('id', '${ANN}', 'name', 'B') AS data, 'bad_name' AS error_code, 'name' AS error_field, NULL AS metadata;`,
  'fn_c(p_ok BOOLEAN, p_changed BOOLEAN, p_class TEXT)': `SELECT p_ok AS succeeded, p_changed AS state_changed, p_class AS error_class,
    'detail' AS status_detail, NULL AS http_status, 'c says' AS message, '${ANN}' AS entity_id, 'Author' AS entity_type,
    JSON_OBJECT('id', '${ANN}', 'name', 'C') AS entity, NULL AS updated_fields, NULL AS cascade, '{"field":"name"}' AS error_detail, NULL AS metadata;`,
  'fn_id_only(p_title TEXT)': `${insert(`'${ANN}'`, 'p_title')}
  SELECT 'created' AS status, NULL AS message, id AS entity_id, 'Post' AS entity_type, NULL AS entity FROM tb_post WHERE ${NEW};`,
  'fn_partial(p_title TEXT)': `${insert(`'${ANN}'`, 'p_title')}
  SELECT 'created' AS status, NULL AS message, NULL AS entity_id, NULL AS entity_type, JSON_OBJECT('title', p_title) AS entity;`,
  "fn_uuid(p_title TEXT) COMMENT 'returns uuid'": `IF p_title = 'nothing' THEN SELECT NULL AS id; ELSE
    ${insert(`'${ANN}'`, 'p_title')}
    SELECT CASE p_title WHEN 'stranger' THEN '${NOBODY}' ELSE id END AS id FROM tb_post WHERE ${NEW};
  END IF;`,
  "fn_uuids(p_titles JSON) COMMENT 'returns set of uuid'": `DECLARE v_count INT DEFAULT JSON_LENGTH(p_titles);
  ${insertAll('p_titles')}
  SELECT id FROM tb_post ORDER BY pk_post DESC LIMIT v_count;`,
  "fn_delete(p_id CHAR(36)) COMMENT 'returns uuid'": 'DELETE FROM tb_post WHERE id = p_id RETURNING id;',
  "fn_series(p_to INT) COMMENT 'returns set of integer'":
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < p_to) SELECT i FROM n;',
  'fn_void(p_title TEXT)': insert(`'${ANN}'`, 'p_title'),
  'fn_setof(p_titles JSON)': `DECLARE v_count INT DEFAULT JSON_LENGTH(p_titles);
  ${insertAll('p_titles')}
  SELECT ${COLUMNS} FROM (SELECT * FROM v_post ORDER BY pk_post DESC LIMIT v_count) p ORDER BY pk_post;`,
  'fn_row(p_title TEXT)': `IF p_title <> 'nothing' THEN ${insert(`'${ANN}'`, 'p_title')} END IF;
  SELECT ${COLUMNS} FROM v_post WHERE ${NEW} AND p_title <> 'nothing';`,
  'fn_cards(p_title TEXT)': `${insert(`'${ANN}'`, 'p_title')}
  SELECT id, data FROM v_card WHERE id = (SELECT id FROM tb_post WHERE ${NEW});`,
  'fn_table(p_title TEXT)': `${insert(`'${ANN}'`, 'p_title')} SELECT id, title FROM tb_post WHERE ${NEW};`,
  'fn_outcome(p_kind TEXT)': `SELECT CASE WHEN p_kind IN ('Post', 'Author', 'Alien') THEN 'ok' ELSE p_kind END AS status,
    'outcome says' AS message, NULL AS entity_id, CASE WHEN p_kind IN ('Post', 'Author', 'Alien') THEN p_kind END AS entity_type,
    CASE p_kind WHEN 'Post' THEN '{"id":"p","title":"T","view_count":1}' WHEN 'Author' THEN '{"id":"a","name":"N"}' WHEN 'Alien' THEN '{"x":1}' END AS entity,
    NULL AS updated_fields, NULL AS cascade, '{"tries_left":3,"waitSeconds":"7","limit":12.50,"code":null}' AS metadata;`,
  "fn_flat(p_name TEXT, p_age INT, p_states JSON, p_address JSON, p_others JSON) COMMENT 'returns json'": `SELECT JSON_OBJECT('name', p_name,
    'age', p_age, 'states', JSON_EXTRACT(p_states, '$'), 'address', JSON_EXTRACT(p_address, '$'), 'others', JSON_EXTRACT(p_others, '$')) AS v;`,
  "fn_positional(p_id CHAR(36), p_title TEXT, p_size INT) COMMENT 'returns json'":
    'SELECT JSON_ARRAY(p_id, p_title, COALESCE(p_size, 7)) AS v;',
  "fn_raise(p_how TEXT) COMMENT 'returns boolean'": `${insert(`'${ANN}'`, "'before raise'")}
  CASE p_how
    WHEN 'plain' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not today';
    WHEN 'hint' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'NOT_FOUND: no such thing';
    WHEN 'own' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'OUT_OF_STOCK: sold out';
    WHEN 'unique' THEN INSERT INTO tb_author (name) VALUES ('Ann');
    WHEN 'check' THEN ${insert(`'${ANN}'`, "''")}
    WHEN 'null' THEN INSERT INTO tb_author (name) VALUES (NULL);
    WHEN 'foreign' THEN INSERT INTO tb_post (fk_author, title) VALUES (999, 'x');
    ELSE BEGIN END;
  END CASE;
  SELECT TRUE AS v;`,
  'pr_rename(p_id CHAR(36), p_title TEXT)': 'UPDATE tb_post SET title = p_title WHERE id = p_id;',
}

/** Stored functions: the parameters and the result, and what they return. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  'fn_bool(p_value BOOLEAN) RETURNS BOOLEAN': 'p_value',
  'fn_int(p_value INT) RETURNS INT': 'p_value',
  'fn_big() RETURNS BIGINT': '9223372036854775807',
  'fn_decimal() RETURNS DECIMAL(10,2)': '1.10',
  'fn_state(p_state TEXT) RETURNS TEXT': 'p_state',
  "fn_ints(p_values JSON) RETURNS JSON COMMENT 'returns json'": 'p_values',
  "fn_json(p_value JSON) RETURNS JSON COMMENT 'returns json'": 'p_value',
  "fn_posts_json(p_kind TEXT) RETURNS JSON COMMENT 'returns json'": `CASE p_kind
    WHEN 'two' THEN '[{"id":"1","title":"A","viewCount":1},{"id":"2","title":"B","viewCount":2}]'
    WHEN 'none' THEN '[]' WHEN 'one' THEN '{"id":"1","title":"A","viewCount":1}' END`,
  "fn_input(p_input JSON) RETURNS JSON COMMENT 'returns json'": 'p_input',
  "fn_update(p_id CHAR(36), p_input JSON) RETURNS JSON COMMENT 'returns json'":
    "JSON_OBJECT('id', p_id, 'input', JSON_EXTRACT(p_input, '$'))",
  "fn_swapped(first TEXT, second TEXT) RETURNS JSON COMMENT 'returns json'": 'JSON_ARRAY(first, second)',
  "fn_styled(name TEXT, input JSON) RETURNS JSON COMMENT 'returns json'": "JSON_ARRAY(name, JSON_EXTRACT(input, '$'))",
  "fn_valued(name JSON) RETURNS JSON COMMENT 'returns json'": "JSON_ARRAY(JSON_EXTRACT(name, '$'))",
  "fn_matrix(p_rows JSON) RETURNS JSON COMMENT 'returns json'": 'p_rows',
}

/** The world of `world.ts` on MariaDB: the same rows, the same results of the same functions. */
export const MYSQL_WORLD = {
  sql: `${MYSQL_LIBRARY}${BLOG}
DELIMITER //
${Object.entries(PROCEDURES)
  .map(([head, body]) => `CREATE PROCEDURE ${head}\nBEGIN\n  ${body.replaceAll('AS cascade', 'AS `cascade`')}\nEND //`)
  .join('\n')}
${Object.entries(FUNCTIONS)
  .map(
    ([head, value]) =>
      `CREATE FUNCTION ${head.replace(' COMMENT', ' DETERMINISTIC COMMENT')} ${head.includes('COMMENT') ? '' : 'DETERMINISTIC'} RETURN ${value} //`,
  )
  .join('\n')}
DELIMITER ;
`,
}
