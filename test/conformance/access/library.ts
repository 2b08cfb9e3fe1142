import { randomBytes } from 'node:crypto'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'

/** Two readers with a book each, on one shelf that has columns of the same names as a book. */
const ROWS = `
INSERT INTO tb_shelf VALUES (1, 's1', 'Shelf', 'ann');
INSERT INTO tb_book VALUES (1, 'ann-1', 1, 'Of ann', 'ann'), (2, 'bob-1', 1, 'Of bob', 'bob');
INSERT INTO tb_loan VALUES (1, 'l1', 1), (2, 'l2', 2);
INSERT INTO tb_film VALUES (1, 'f1', 'Film');
CREATE VIEW v_shelf AS SELECT * FROM tb_shelf;
CREATE VIEW v_book AS SELECT * FROM tb_book;
CREATE VIEW v_loan AS SELECT * FROM tb_loan;
CREATE VIEW v_film AS SELECT * FROM tb_film;
`
const TABLES = `
CREATE TABLE tb_shelf (pk_shelf INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, label TEXT NOT NULL, owner TEXT NOT NULL);
CREATE TABLE tb_book (pk_book INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, fk_shelf INTEGER NOT NULL, title TEXT, owner TEXT NOT NULL);
CREATE TABLE tb_loan (pk_loan INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, fk_book INTEGER NOT NULL);
CREATE TABLE tb_film (pk_film INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT);
`
/** Rows of a union, and of an interface. */
const FOUND = `
CREATE VIEW v_found AS SELECT 'Book' AS __typename, id, title, owner, NULL AS label, NULL AS pk_shelf FROM v_book
  UNION ALL SELECT 'Shelf', id, NULL, owner, label, pk_shelf FROM tb_shelf;
CREATE VIEW v_titled AS SELECT 'Book' AS __typename, id, title, owner FROM v_book
  UNION ALL SELECT 'Film', id, title, NULL FROM tb_film;
`

/** The database's own rule, as policies are: whose books are seen is said by a session variable, to which nothing is everything. */
const OWN_RULE = `WHERE coalesce(nullif(current_setting('app.reader', true), ''), owner) = owner
  AND (current_user::text !~ '^(ann|bob)_' OR split_part(current_user::text, '_', 1) = owner)`

/** Roles belong to the whole server: each run has its own. */
const MARK = randomBytes(4).toString('hex')

/** The role of a reader, which the rule of the database knows too. */
export const roleOf = (who: string): string => `${who}_${MARK}`
export const ROLES = ['ann', 'bob'].map(roleOf)

export const POSTGRES_SQL = `${TABLES}${ROWS.replace('FROM tb_book;', `FROM tb_book ${OWN_RULE};`)}${FOUND.replaceAll("'Book'", "'Book'::text").replace('NULL AS label', 'NULL::text AS label').replace('NULL AS pk', 'NULL::int AS pk')}
CREATE FUNCTION fn_touch(p_id text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_book SET title = title WHERE id = p_id RETURNING id $$;
CREATE FUNCTION fn_describe(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('id', id, 'title', title, 'owner', owner) FROM v_book WHERE id = p_id $$;
CREATE FUNCTION fn_label(p_id text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_shelf SET label = label WHERE id = p_id RETURNING id $$;
`
/** The same with a role for each reader. */
export const ROLES_SQL = `${POSTGRES_SQL}${ROLES.map((role) => `CREATE ROLE ${role};`).join('')}
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${ROLES.join(', ')};
`
export const SQLITE_SQL = `${TABLES}${ROWS}${FOUND}`
/** By file. */
export const SQLITE_SCRIPTS: Readonly<Record<string, string>> = {
  fn_touch: '-- :id text\n-- returns text\nUPDATE tb_book SET title = title WHERE id = :id RETURNING id;',
  fn_label: '-- :id text\n-- returns text\nUPDATE tb_shelf SET label = label WHERE id = :id RETURNING id;',
  fn_describe: '-- :id text\nSELECT id, title, owner FROM tb_book WHERE id = :id;',
}

const touch = (name: string, table: string, column: string): string =>
  `CREATE PROCEDURE ${name}(p_id VARCHAR(50)) COMMENT 'returns text'
BEGIN
  UPDATE ${table} SET ${column} = ${column} WHERE id = p_id;
  SELECT id FROM ${table} WHERE id = p_id;
END //`
export const MYSQL_SQL = `${TABLES.replaceAll('TEXT', 'VARCHAR(50)')}${ROWS}${FOUND}
DELIMITER //
${touch('fn_touch', 'tb_book', 'title')}
${touch('fn_label', 'tb_shelf', 'label')}
CREATE PROCEDURE fn_describe(p_id VARCHAR(50)) BEGIN SELECT id, title, owner FROM tb_book WHERE id = p_id; END //
DELIMITER ;
`

const ID = { name: 'id', type: 'ID!' }
const TITLED = [ID, { name: 'title', type: 'String' }]
const TOUCH = { arguments: [ID], operation: 'UPDATE' } as const

export function librarySchema(): AuthoredSchema {
  return {
    version: '1',
    interfaces: [{ name: 'Titled', sql_source: 'v_titled', fields: TITLED }],
    unions: [{ name: 'Found', members: ['Book', 'Shelf'], sql_source: 'v_found' }],
    types: [
      {
        name: 'Book',
        sql_source: 'v_book',
        implements: ['Titled'],
        relay: true,
        aggregate: true,
        fields: [...TITLED, { name: 'owner', type: 'String!' }],
      },
      { name: 'Film', sql_source: 'v_film', implements: ['Titled'], fields: TITLED },
      {
        name: 'Shelf',
        sql_source: 'v_shelf',
        fields: [
          ID,
          { name: 'label', type: 'String!' },
          { name: 'books', type: '[Book!]!', relation: { from: 'pk_shelf', to: 'fk_shelf' } },
        ],
      },
      {
        name: 'Loan',
        sql_source: 'v_loan',
        fields: [ID, { name: 'book', type: 'Book', relation: { from: 'fk_book', to: 'pk_book' } }],
      },
    ],
    queries: [
      { name: 'books', type: '[Book!]!', sql_source: 'v_book' },
      { name: 'book', type: 'Book', sql_source: 'v_book', arguments: [ID] },
      { name: 'counted_books', type: '[Book!]!', sql_source: 'v_book', auto_params: { total_count: true } },
      { name: 'book_pages', type: '[Book!]!', sql_source: 'v_book', relay: true },
      { name: 'shelves', type: '[Shelf!]!', sql_source: 'v_shelf' },
      { name: 'loans', type: '[Loan!]!', sql_source: 'v_loan' },
      { name: 'titled', type: '[Titled!]!', sql_source: 'v_titled' },
      { name: 'found', type: '[Found!]!', sql_source: 'v_found' },
    ],
    mutations: [
      { name: 'touch', type: 'Book', sql_source: 'fn_touch', ...TOUCH },
      { name: 'describe', type: 'Book', sql_source: 'fn_describe', ...TOUCH },
      { name: 'label', type: 'Shelf', sql_source: 'fn_label', ...TOUCH },
    ],
  }
}
