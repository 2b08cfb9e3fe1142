import type { TestSchema } from './test-schema.ts'

const id = { name: 'id', type: 'Int!' }
const name = { name: 'name', type: 'String!' }

/** Items with a unique name, in a table without a view, and a mutation of each kind. The table is empty. */
export const ITEMS = {
  sql: `
CREATE TABLE item (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE FUNCTION fn_add(name text) RETURNS integer LANGUAGE sql AS $$
  INSERT INTO item (name) VALUES ($1) RETURNING id $$;
CREATE FUNCTION fn_rename(id integer, name text) RETURNS integer LANGUAGE sql AS $$
  UPDATE item SET name = $2 WHERE item.id = $1 RETURNING item.id $$;
CREATE FUNCTION fn_remove(id integer) RETURNS integer LANGUAGE sql AS $$
  DELETE FROM item WHERE item.id = $1 RETURNING item.id $$;
CREATE FUNCTION fn_clear() RETURNS void LANGUAGE sql AS 'DELETE FROM item';
`,
  schema: {
    version: '1',
    types: [
      {
        name: 'Item',
        sql_source: 'item',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'name', type: 'String!' },
        ],
      },
    ],
    queries: [{ name: 'items', type: '[Item!]!', sql_source: 'item' }],
    mutations: [
      { name: 'add', type: 'Item', sql_source: 'fn_add', operation: 'CREATE', arguments: [name] },
      { name: 'rename', type: 'Item', sql_source: 'fn_rename', operation: 'UPDATE', arguments: [id, name] },
      { name: 'remove', type: 'Item', sql_source: 'fn_remove', operation: 'DELETE', arguments: [id] },
      { name: 'clear', type: 'Boolean', sql_source: 'fn_clear' },
    ],
  },
} as const satisfies TestSchema

/** The same database as a file of SQLite. */
export const ITEMS_SQLITE = {
  sql: 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
  scripts: {
    fn_add: '-- :name text\n-- returns integer\nINSERT INTO item (name) VALUES (:name) RETURNING id;',
    fn_rename:
      '-- :id integer\n-- :name text\n-- returns integer\nUPDATE item SET name = :name WHERE id = :id RETURNING id;',
    fn_remove: '-- :id integer\n-- returns integer\nDELETE FROM item WHERE id = :id RETURNING id;',
    fn_clear: '-- returns void\nDELETE FROM item;',
  },
} as const
