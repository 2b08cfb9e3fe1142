import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { TestSchema } from './test-schema.ts'

const ACTORS = {
  from: 'film_id',
  to: 'actor_id',
  through: { sql_source: 'cast_list', from: 'film_id', to: 'actor_id' },
} as const
const FILMS_OF_ACTOR = {
  from: 'actor_id',
  to: 'film_id',
  through: { sql_source: 'cast_list', from: 'actor_id', to: 'film_id' },
} as const
const STUDIOS = {
  from: 'film_id',
  to: ['land', 'no'],
  through: { sql_source: 'film_studio', from: 'film', to: ['land', 'no'] },
} as const
const FILMS_OF_STUDIO = {
  from: ['land', 'no'],
  to: 'film_id',
  through: { sql_source: 'film_studio', from: ['land', 'no'], to: 'film' },
} as const
const follows = (from: string, to: string) => ({
  from: 'actor_id',
  to: 'actor_id',
  through: { sql_source: 'follows', from, to },
})

const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Film',
      sql_source: 'film',
      aggregate: true,
      relay: true,
      key: 'film_id',
      fields: [
        { name: 'id', type: 'ID!', column: 'film_id' },
        { name: 'title', type: 'String!' },
        { name: 'year', type: 'Int' },
        { name: 'actors', type: '[Actor!]!', relation: ACTORS },
        { name: 'studios', type: '[Studio!]!', relation: STUDIOS },
      ],
    },
    {
      name: 'Actor',
      sql_source: 'actor',
      aggregate: true,
      key: 'actor_id',
      fields: [
        { name: 'id', type: 'ID!', column: 'actor_id' },
        { name: 'name', type: 'String!' },
        { name: 'age', type: 'Int' },
        { name: 'films', type: '[Film!]!', relation: FILMS_OF_ACTOR },
        { name: 'follows', type: '[Actor!]!', relation: follows('follower', 'followed') },
        { name: 'followers', type: '[Actor!]!', relation: follows('followed', 'follower') },
      ],
    },
    {
      name: 'Studio',
      sql_source: 'studio',
      key: ['land', 'no'],
      fields: [
        { name: 'label', type: 'String!' },
        { name: 'films', type: '[Film!]!', relation: FILMS_OF_STUDIO },
      ],
    },
  ],
  queries: [
    { name: 'films', type: '[Film!]!' },
    { name: 'film', type: 'Film', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'film_pages', type: '[Film!]!', relay: true },
    { name: 'actors', type: '[Actor!]!' },
    { name: 'studios', type: '[Studio!]!' },
  ],
}

const TABLES = `
CREATE TABLE film (film_id integer PRIMARY KEY, title text NOT NULL, year integer);
CREATE TABLE actor (actor_id integer PRIMARY KEY, name text NOT NULL, age integer);
CREATE TABLE cast_list (film_id integer, actor_id integer, owner text NOT NULL DEFAULT 'ann', secret integer NOT NULL DEFAULT 0);
CREATE VIEW v_cast AS SELECT * FROM cast_list;
CREATE TABLE studio (land text NOT NULL, no integer NOT NULL, label text NOT NULL, PRIMARY KEY (land, no));
CREATE TABLE film_studio (film integer NOT NULL, land text NOT NULL, no integer NOT NULL, PRIMARY KEY (film, land, no));
CREATE TABLE follows (follower integer NOT NULL, followed integer NOT NULL, PRIMARY KEY (follower, followed));
`

const SQL = `${TABLES}
INSERT INTO film VALUES (1, 'Alpha', 1990), (2, 'Beta', 2000), (3, 'Gamma', 2010), (4, 'Delta', NULL);
INSERT INTO actor VALUES (10, 'Ann', 30), (11, 'Bob', 40), (12, 'Cid', NULL), (13, 'Dot', 20);
INSERT INTO cast_list (film_id, actor_id) VALUES (1, 10), (1, 11), (1, 10), (2, 11), (2, 12), (3, 10), (3, NULL), (NULL, 10), (NULL, NULL), (2, 99);
INSERT INTO studio VALUES ('de', 1, 'D1'), ('de', 2, 'D2'), ('fr', 1, 'F1');
INSERT INTO film_studio VALUES (1, 'de', 1), (1, 'fr', 1), (2, 'de', 2);
INSERT INTO follows VALUES (10, 11), (10, 12), (11, 10), (12, 12);
`

/**
 * Films and actors, related by join tables, for every database. `cast_list` has no key: it holds a pair twice, NULL, and an actor
 * that does not exist. `film_studio` has a composite key on one side, `follows` relates actors to actors.
 */
export const FILMS = {
  /** The tables without rows. */
  tables: TABLES,
  sql: SQL,
  /** A key of MariaDB has a length. */
  mysql: SQL.replaceAll('land text', 'land varchar(20)'),
  schema: SCHEMA,
} satisfies TestSchema & { readonly tables: string; readonly mysql: string }
