import type { AuthoredSchema } from '../../core/schema/authored.ts'

/** Tables and views of a small library: flat views, a document view, embedded objects, a union, a relay type. */
export const LIBRARY_SQL = `
CREATE TYPE mood AS ENUM ('calm', 'tense');
CREATE TABLE tb_shelf (
  pk_shelf bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, label text NOT NULL, note text
);
CREATE TABLE tb_book (
  pk_book bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, fk_shelf bigint REFERENCES tb_shelf (pk_shelf),
  title text NOT NULL, subtitle text, pages int, weight real, price numeric(12,2), sold bigint NOT NULL DEFAULT 0,
  in_print boolean NOT NULL DEFAULT true, printed_on date, sold_at timestamp, added_at timestamptz NOT NULL,
  opens time, tags text[], ratings int[], moments timestamp[], extra jsonb, genre text, mood mood, owner text
);
INSERT INTO tb_shelf SELECT n, ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'Shelf ' || n,
  CASE WHEN n = 2 THEN 'dusty' END FROM generate_series(1, 3) n;
INSERT INTO tb_book VALUES
 (1, 'aaaaaaaa-0000-4000-8000-000000000001', 1, 'Alpha 100%', 'a_b', 100, 1.5, 10.50, 9007199254740993, true,
  '2024-02-29', '2024-01-01 10:00:00.123', '2024-01-01 00:00:00+02', '08:30', '{red,blue}', '{1,2,3}',
  '{2024-01-01 00:00:00,2024-06-01 12:00:00}', '{"a": 1, "b": {"c": [1, 2]}}', 'sf', 'calm', 'ann'),
 (2, 'aaaaaaaa-0000-4000-8000-000000000002', 1, 'beta', NULL, 250, 0.1, 3.00, 5, false,
  '2023-12-31', NULL, '2024-03-05 12:00:00+00', NULL, '{}', NULL, NULL, '{"a": null}', 'crime', 'tense', 'bob'),
 (3, 'aaaaaaaa-0000-4000-8000-000000000003', 2, 'Gamma "quoted" \\\\ \u00e9', 'x', NULL, NULL, NULL, 0, true,
  NULL, NULL, '2024-03-05 12:00:00+00', NULL, NULL, '{}', NULL, NULL, NULL, NULL, 'ann'),
 (4, 'aaaaaaaa-0000-4000-8000-000000000004', NULL, 'delta', NULL, 100, 2, 99.99, 1, true,
  '2024-03-03', NULL, '2025-01-01 00:00:00+00', NULL, '{blue}', '{3}', NULL, '[1, 2]', 'sf', 'calm', 'bob');
CREATE VIEW v_shelf AS SELECT pk_shelf, id, label, note FROM tb_shelf;
CREATE VIEW v_book AS SELECT * FROM tb_book;
CREATE VIEW v_shelf_doc AS SELECT s.id, s.pk_shelf,
  jsonb_build_object('id', s.id, 'label', s.label, 'note', s.note, 'pk_shelf', s.pk_shelf,
    'created_at', timestamp '2024-05-06 07:08:09', 'size', s.pk_shelf * 10, 'price', 12.50, 'big', 9007199254740993,
    'kind', 'k1', 'numbers', jsonb_build_array(1, 2, s.pk_shelf), 'names', jsonb_build_array('x', s.label),
    'keeper', CASE WHEN s.pk_shelf < 3 THEN jsonb_build_object('name', 'Keeper ' || s.pk_shelf, 'age', 40 + s.pk_shelf,
      'shelf_id', s.id) END,
    'labels', CASE WHEN s.pk_shelf < 3 THEN jsonb_build_array(
      jsonb_build_object('text', 'L1', 'rank', 1), jsonb_build_object('text', s.label, 'rank', s.pk_shelf)) END) AS data
  FROM tb_shelf s;
CREATE VIEW v_thing AS
  SELECT 'ThingBook' AS __typename, id, pk_book AS pk_thing, title AS name, pages, NULL::text AS label FROM tb_book
  UNION ALL SELECT 'ThingShelf', id, 100 + pk_shelf, label, NULL, label FROM tb_shelf;
`

const book = (id: string): string => `aaaaaaaa-0000-4000-8000-00000000000${id}`
export const BOOK = { alpha: book('1'), beta: book('2'), gamma: book('3'), delta: book('4') }
export const SHELF = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`

export const LIBRARY: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Genre',
      values: [
        { name: 'SF', value: 'sf' },
        { name: 'CRIME', value: 'crime' },
      ],
    },
    { name: 'Mood', values: [{ name: 'calm' }, { name: 'tense' }] },
    {
      name: 'Kind',
      values: [
        { name: 'FIRST', value: 'k1' },
        { name: 'SECOND', value: 'k2' },
      ],
    },
  ],
  custom_scalars: [{ name: 'Isbn' }],
  interfaces: [
    {
      name: 'Thing',
      sql_source: 'v_thing',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
      ],
    },
  ],
  unions: [{ name: 'Anything', members: ['ThingBook', 'ThingShelf'], sql_source: 'v_thing' }],
  types: [
    {
      name: 'Shelf',
      sql_source: 'v_shelf',
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        { name: 'note', type: 'String' },
        { name: 'books', type: '[Book!]!', relation: { from: 'pk_shelf', to: 'fk_shelf' } },
      ],
    },
    {
      name: 'Book',
      sql_source: 'v_book',
      relay: true,
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'subtitle', type: 'String' },
        { name: 'pages', type: 'Int' },
        { name: 'weight', type: 'Float' },
        { name: 'price', type: 'Decimal' },
        { name: 'sold', type: 'BigInt!' },
        { name: 'in_print', type: 'Boolean!' },
        { name: 'printed_on', type: 'Date' },
        { name: 'sold_at', type: 'DateTime' },
        { name: 'added_at', type: 'DateTime!' },
        { name: 'opens', type: 'Time' },
        { name: 'tags', type: '[String!]' },
        { name: 'ratings', type: '[Int!]' },
        { name: 'moments', type: '[DateTime!]' },
        { name: 'extra', type: 'JSON' },
        { name: 'genre', type: 'Genre' },
        { name: 'mood', type: 'Mood' },
        { name: 'owner', type: 'Isbn' },
        { name: 'shelf', type: 'Shelf', relation: { from: 'fk_shelf', to: 'pk_shelf' } },
        { name: 'secret', type: 'String', column: 'owner', filterable: false, orderable: false },
      ],
    },
    {
      name: 'Keeper',
      embedded: true,
      fields: [
        { name: 'name', type: 'String!' },
        { name: 'age', type: 'Int' },
      ],
    },
    {
      name: 'Label',
      embedded: true,
      fields: [
        { name: 'text', type: 'String!' },
        { name: 'rank', type: 'Int' },
      ],
    },
    {
      name: 'ShelfDoc',
      sql_source: 'v_shelf_doc',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        { name: 'note', type: 'String' },
        { name: 'created_at', type: 'DateTime' },
        { name: 'size', type: 'Int' },
        { name: 'price', type: 'Decimal' },
        { name: 'big', type: 'BigInt' },
        { name: 'kind', type: 'Kind' },
        { name: 'numbers', type: '[Int!]' },
        { name: 'names', type: '[ID!]' },
        { name: 'keeper', type: 'Keeper' },
        { name: 'labels', type: '[Label!]' },
        { name: 'books', type: '[Book!]!', relation: { from: 'pk_shelf', to: 'fk_shelf' } },
      ],
    },
    {
      name: 'ThingBook',
      sql_source: 'v_thing',
      implements: ['Thing'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'pages', type: 'Int' },
      ],
    },
    {
      name: 'ThingShelf',
      sql_source: 'v_thing',
      implements: ['Thing'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'label', type: 'String' },
      ],
    },
  ],
  queries: [
    { name: 'books', type: '[Book!]!', sql_source: 'v_book', arguments: [{ name: 'in_print', type: 'Boolean' }] },
    { name: 'book', type: 'Book', sql_source: 'v_book', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'counted_books', type: '[Book!]!', sql_source: 'v_book', auto_params: { total_count: true } },
    { name: 'book_pages', type: '[Book!]!', sql_source: 'v_book', relay: true },
    { name: 'my_books', type: '[Book!]!', sql_source: 'v_book', inject: { owner: 'jwt:sub' } },
    { name: 'filtered_books', type: '[Book!]!', sql_source: 'v_book', row_filter: 'owner = {user}' },
    { name: 'shelves', type: '[Shelf!]!', sql_source: 'v_shelf' },
    { name: 'shelf', type: 'Shelf!', sql_source: 'v_shelf', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'shelf_docs', type: '[ShelfDoc!]!', sql_source: 'v_shelf_doc' },
    { name: 'shelf_doc', type: 'ShelfDoc', sql_source: 'v_shelf_doc', arguments: [{ name: 'label', type: 'String' }] },
    { name: 'things', type: '[Thing!]!', sql_source: 'v_thing' },
    { name: 'anything', type: '[Anything!]!', sql_source: 'v_thing' },
  ],
}

/** Without the queries that need a plugin for credentials. */
export const OPEN_LIBRARY: AuthoredSchema = {
  ...LIBRARY,
  queries: LIBRARY.queries?.filter((query) => query.inject === undefined && query.row_filter === undefined) ?? [],
}
