/** The tables and views of `test/helpers/library.ts` for MariaDB: the same rows. Texts are compared by their code points. */
export const MYSQL_LIBRARY = `
CREATE TABLE tb_shelf (pk_shelf BIGINT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE, label VARCHAR(200) NOT NULL, note TEXT);
CREATE TABLE tb_book (
  pk_book BIGINT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE, fk_shelf BIGINT, FOREIGN KEY (fk_shelf) REFERENCES tb_shelf (pk_shelf),
  title VARCHAR(200) NOT NULL, subtitle TEXT, pages INT, weight FLOAT, price DECIMAL(12,2), sold BIGINT NOT NULL DEFAULT 0,
  in_print BOOLEAN NOT NULL DEFAULT TRUE, printed_on DATE, sold_at DATETIME(6), added_at DATETIME NOT NULL,
  opens TIME, tags JSON, ratings JSON, moments JSON, extra JSON, genre TEXT, mood ENUM('calm', 'tense'), owner TEXT
);
INSERT INTO tb_shelf VALUES
 (1, '00000000-0000-4000-8000-000000000001', 'Shelf 1', NULL),
 (2, '00000000-0000-4000-8000-000000000002', 'Shelf 2', 'dusty'),
 (3, '00000000-0000-4000-8000-000000000003', 'Shelf 3', NULL);
INSERT INTO tb_book VALUES
 (1, 'aaaaaaaa-0000-4000-8000-000000000001', 1, 'Alpha 100%', 'a_b', 100, 1.5, 10.50, 9007199254740993, TRUE,
  '2024-02-29', '2024-01-01 10:00:00.123', '2023-12-31 22:00:00', '08:30', '["red","blue"]', '[1,2,3]',
  '["2024-01-01T00:00:00","2024-06-01 12:00:00"]', '{"a": 1, "b": {"c": [1, 2]}}', 'sf', 'calm', 'ann'),
 (2, 'AAAAAAAA-0000-4000-8000-000000000002', 1, 'beta', NULL, 250, 0.1, 3.00, 5, FALSE,
  '2023-12-31', NULL, '2024-03-05 12:00:00', NULL, '[]', NULL, NULL, '{"a": null}', 'crime', 'tense', 'bob'),
 (3, 'aaaaaaaa-0000-4000-8000-000000000003', 2, 'Gamma "quoted" \\\\\\\\ \u00e9', 'x', NULL, NULL, NULL, 0, TRUE,
  NULL, NULL, '2024-03-05 12:00:00', NULL, NULL, '[]', NULL, NULL, NULL, NULL, 'ann'),
 (4, 'aaaaaaaa-0000-4000-8000-000000000004', NULL, 'delta', NULL, 100, 2, 99.99, 1, TRUE,
  '2024-03-03', NULL, '2025-01-01 00:00:00', NULL, '["blue"]', '[3]', NULL, '[1, 2]', 'sf', 'calm', 'bob');
CREATE VIEW v_shelf AS SELECT pk_shelf, id, label, note FROM tb_shelf;
CREATE VIEW v_book AS SELECT * FROM tb_book;
CREATE VIEW v_shelf_doc AS SELECT s.id, s.pk_shelf,
  JSON_OBJECT('id', s.id, 'label', s.label, 'note', s.note, 'pk_shelf', s.pk_shelf,
    'created_at', '2024-05-06 07:08:09', 'size', s.pk_shelf * 10, 'price', 12.50, 'big', 9007199254740993,
    'kind', 'k1', 'numbers', JSON_ARRAY(1, 2, s.pk_shelf), 'names', JSON_ARRAY('x', s.label),
    'keeper', CASE WHEN s.pk_shelf < 3 THEN JSON_OBJECT('name', CONCAT('Keeper ', s.pk_shelf), 'age', 40 + s.pk_shelf,
      'shelf_id', s.id) END,
    'labels', CASE WHEN s.pk_shelf < 3 THEN JSON_ARRAY(
      JSON_OBJECT('text', 'L1', 'rank', 1), JSON_OBJECT('text', s.label, 'rank', s.pk_shelf)) END) AS data
  FROM tb_shelf s;
CREATE VIEW v_thing AS
  SELECT 'ThingBook' AS __typename, id, pk_book AS pk_thing, title AS name, pages, NULL AS label FROM tb_book
  UNION ALL SELECT 'ThingShelf', id, 100 + pk_shelf, label, NULL, label FROM tb_shelf;
`
