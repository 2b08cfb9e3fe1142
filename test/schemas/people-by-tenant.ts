/** 20,000 people in five tenants, and a view of them that renames the key. */
export const PEOPLE_SQL = `
  CREATE TABLE person (
    pk_person int PRIMARY KEY, tenant text NOT NULL, email text NOT NULL, code text, data jsonb, words tsvector, joined int NOT NULL
  );
  INSERT INTO person SELECT n, 't' || n % 5, 'e' || n, 'c' || n, '{}', to_tsvector('a'), n FROM generate_series(1, 20000) n;
  ANALYZE;
  CREATE VIEW v_person AS SELECT p.joined AS id, p.tenant, p.email, p.code, p.data, p.words, lower(p.email) AS small FROM person p;
`

/** Reads the people of `PEOPLE_SQL` as pages, by email, and by full-text search. No index serves them. */
export const PEOPLE = {
  version: '2.0.0',
  types: [
    {
      name: 'Person',
      sql_source: 'v_person',
      key: 'id',
      relay: true,
      inject: { tenant: 'jwt:tenant' },
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'email', type: 'String!', filter_operators: ['_eq'], orderable: false },
        { name: 'code', type: 'String', filter_operators: ['_startswith'], orderable: false },
        { name: 'data', type: 'JSON', filter_operators: ['_contains'] },
        { name: 'small', type: 'String' },
      ],
    },
  ],
  queries: [
    { name: 'people', type: '[Person!]!', sql_source: 'v_person', relay: true },
    { name: 'person', type: 'Person', sql_source: 'v_person', arguments: [{ name: 'email', type: 'String!' }] },
    {
      name: 'found',
      type: '[Person!]!',
      sql_source: 'v_person',
      arguments: [{ name: 'text', type: 'String!', full_text: 'words' }],
    },
  ],
}
