const ENTITIES = [
  'area',
  'artist',
  'event',
  'instrument',
  'label',
  'place',
  'recording',
  'release',
  'release_group',
  'series',
  'url',
  'work',
]

/**
 * Writes the SQL of a music catalogue with 300 tables in a schema of its own: for each entity its types, aliases, annotations, tags and
 * redirects, and for each pair of entities a table of links with a type. No table has more than a few rows.
 */
export function musicCatalogue(schema = 'music'): string {
  const pairs = ENTITIES.flatMap((one, i) => ENTITIES.slice(i).map((other) => [one, other] as const))
  return [
    `CREATE SCHEMA ${schema}; SET search_path = ${schema}, public;`,
    `CREATE TABLE editor (id int PRIMARY KEY, name varchar(64) NOT NULL, privs int DEFAULT 0, password varchar(128));
     CREATE TABLE edit (id int PRIMARY KEY, editor int NOT NULL REFERENCES editor, status smallint NOT NULL, open_time timestamptz DEFAULT '2024-01-01 00:00+00');
     CREATE TABLE tag (id int PRIMARY KEY, name varchar(255) NOT NULL UNIQUE);
     CREATE TABLE language (id int PRIMARY KEY, iso_code_3 char(3), name text NOT NULL);
     CREATE TABLE artist_credit (id int PRIMARY KEY, name text NOT NULL, gid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid());
     CREATE TABLE link_type (id int PRIMARY KEY, parent int REFERENCES link_type, gid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), name text NOT NULL, long_link_phrase text);
     CREATE TABLE link (id int PRIMARY KEY, link_type int NOT NULL REFERENCES link_type, begin_date_year smallint, ended boolean NOT NULL DEFAULT false);
     INSERT INTO editor VALUES (1, 'ed', 0, 'x'); INSERT INTO edit VALUES (1, 1, 2); INSERT INTO tag VALUES (1, 'rock'), (2, 'jazz');
     INSERT INTO language VALUES (1, 'eng', 'English'); INSERT INTO artist_credit VALUES (1, 'Ann & Bo');
     INSERT INTO link_type VALUES (1, NULL, DEFAULT, 'root', NULL), (2, 1, DEFAULT, 'child', 'is a child of'); INSERT INTO link VALUES (1, 2, 1999), (2, 1, NULL);`,
    ...ENTITIES.map(entityTables),
    `CREATE TABLE artist_credit_name (artist_credit int NOT NULL REFERENCES artist_credit, position smallint NOT NULL, artist int NOT NULL REFERENCES artist, name text NOT NULL, join_phrase text NOT NULL DEFAULT '', PRIMARY KEY (artist_credit, position));
     INSERT INTO artist_credit_name VALUES (1, 0, 1, 'Ann', ' & '), (1, 1, 2, 'Bo', '');
     CREATE TABLE medium (id int PRIMARY KEY, release int NOT NULL REFERENCES release, position int NOT NULL, UNIQUE (release, position));
     CREATE TABLE track (id int PRIMARY KEY, gid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), medium int NOT NULL REFERENCES medium, recording int NOT NULL REFERENCES recording, artist_credit int NOT NULL REFERENCES artist_credit, length int, is_data_track boolean NOT NULL DEFAULT false);
     CREATE TABLE release_country (release int NOT NULL REFERENCES release, country int NOT NULL REFERENCES area, date_year smallint, PRIMARY KEY (release, country));
     INSERT INTO medium VALUES (1, 1, 1), (2, 2, 1); INSERT INTO track SELECT i, gen_random_uuid(), 1 + i % 2, 1 + i % 3, 1, i * 1000 FROM generate_series(1, 8) i;
     INSERT INTO release_country VALUES (1, 1, 1990), (1, 2, NULL), (2, 1, 1991);`,
    ...pairs.map(([one, other]) => linkTable(one, other)),
    `RESET search_path;`,
  ].join('\n')
}

function entityTables(name: string): string {
  const credited = ['recording', 'release', 'release_group'].includes(name)
  const own = `id int PRIMARY KEY, name text NOT NULL`
  return `
    CREATE TABLE ${name}_type (${own}, parent int REFERENCES ${name}_type, child_order int NOT NULL DEFAULT 0, description text, gid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid());
    CREATE TABLE ${name} (${own}, gid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), type int REFERENCES ${name}_type, comment varchar(255) NOT NULL DEFAULT '', edits_pending int NOT NULL DEFAULT 0 CHECK (edits_pending >= 0), begin_date_year smallint, ended boolean NOT NULL DEFAULT false${credited ? ', artist_credit int REFERENCES artist_credit' : ''});
    CREATE TABLE ${name}_alias_type (${own}, parent int REFERENCES ${name}_alias_type);
    CREATE TABLE ${name}_alias (id int PRIMARY KEY, ${name} int NOT NULL REFERENCES ${name}, name text NOT NULL, locale text, type int REFERENCES ${name}_alias_type, sort_name text NOT NULL, primary_for_locale boolean NOT NULL DEFAULT false);
    CREATE TABLE ${name}_annotation (${name} int NOT NULL REFERENCES ${name}, annotation int NOT NULL, PRIMARY KEY (${name}, annotation));
    CREATE TABLE ${name}_tag (${name} int NOT NULL REFERENCES ${name}, tag int NOT NULL REFERENCES tag, count int NOT NULL, PRIMARY KEY (${name}, tag));
    CREATE TABLE ${name}_tag_raw (${name} int NOT NULL REFERENCES ${name}, editor int NOT NULL REFERENCES editor, tag int NOT NULL REFERENCES tag, is_upvote boolean NOT NULL DEFAULT true, PRIMARY KEY (${name}, editor, tag));
    CREATE TABLE ${name}_gid_redirect (gid uuid PRIMARY KEY, new_id int NOT NULL REFERENCES ${name}, created timestamptz DEFAULT '2024-01-01 00:00+00');
    CREATE TABLE ${name}_attribute_type (${own}, parent int REFERENCES ${name}_attribute_type);
    CREATE TABLE ${name}_attribute (id int PRIMARY KEY, ${name} int NOT NULL REFERENCES ${name}, ${name}_attribute_type int NOT NULL REFERENCES ${name}_attribute_type, ${name}_attribute_text text);
    CREATE TABLE ${name}_meta (id int PRIMARY KEY REFERENCES ${name} ON DELETE CASCADE, rating smallint CHECK (rating BETWEEN 0 AND 100), rating_count int);
    CREATE TABLE edit_${name} (edit int NOT NULL REFERENCES edit, ${name} int NOT NULL REFERENCES ${name} ON DELETE CASCADE, PRIMARY KEY (edit, ${name}));
    INSERT INTO ${name}_type VALUES (1, 'one', NULL), (2, 'two', 1);
    INSERT INTO ${name} (id, name, type) VALUES (1, '${name} é', 1), (2, 'b', NULL), (3, '', 2);
    INSERT INTO ${name}_alias VALUES (1, 1, 'alias', 'en', NULL, 'alias', true);
    INSERT INTO ${name}_tag VALUES (1, 1, 3), (1, 2, -1), (2, 1, 0);
    INSERT INTO ${name}_tag_raw VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO ${name}_gid_redirect VALUES ('00000000-0000-4000-8000-000000000001', 1);
    INSERT INTO ${name}_meta VALUES (1, 80, 3), (2, NULL, NULL);
    INSERT INTO edit_${name} VALUES (1, 1), (1, 3);`
}

function linkTable(one: string, other: string): string {
  return `
    CREATE TABLE l_${one}_${other} (id int PRIMARY KEY, link int NOT NULL REFERENCES link, entity0 int NOT NULL REFERENCES ${one}, entity1 int NOT NULL REFERENCES ${other}, link_order int NOT NULL DEFAULT 0, entity0_credit text NOT NULL DEFAULT '', UNIQUE (entity0, entity1, link));
    CREATE TABLE l_${one}_${other}_example (id int PRIMARY KEY REFERENCES l_${one}_${other}, published boolean NOT NULL);
    INSERT INTO l_${one}_${other} VALUES (1, 1, 1, 2), (2, 2, 3, 1); INSERT INTO l_${one}_${other}_example VALUES (2, true);`
}
