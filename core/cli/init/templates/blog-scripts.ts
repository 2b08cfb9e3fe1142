/** Content of db/01_tables.sql in the template `blog` of `svc init`, for PostgreSQL. */
export const TABLES_SQL = `-- Tables, for writing. Each has pk_<x> for joins, id for clients.

CREATE TABLE tb_author (
  pk_author bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  bio text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tb_post (
  pk_post bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  fk_author bigint NOT NULL REFERENCES tb_author,
  slug text NOT NULL UNIQUE,
  title text NOT NULL,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published')),
  published_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_post_author ON tb_post (fk_author);

CREATE TABLE tb_comment (
  pk_comment bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  fk_post bigint NOT NULL REFERENCES tb_post ON DELETE CASCADE,
  fk_author bigint NOT NULL REFERENCES tb_author,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_comment_post ON tb_comment (fk_post);
CREATE INDEX ix_comment_author ON tb_comment (fk_author);

CREATE TABLE tb_tag (
  pk_tag bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE
);

CREATE TABLE tb_post_tag (
  pk_post_tag bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  fk_post bigint NOT NULL REFERENCES tb_post ON DELETE CASCADE,
  fk_tag bigint NOT NULL REFERENCES tb_tag ON DELETE CASCADE,
  UNIQUE (fk_post, fk_tag)
);
CREATE INDEX ix_post_tag_tag ON tb_post_tag (fk_tag);
`

/** Content of db/02_views.sql in the template `blog` of `svc init`. */
export const VIEWS_SQL = `-- Views, for reading: one per type of the API, one column per field.
-- fk_author of one view and pk_author of another are a relation; nothing else has to be declared.

CREATE VIEW v_author AS
SELECT id, pk_author, name, email, bio, created_at FROM tb_author;

CREATE VIEW v_post AS
SELECT id, pk_post, fk_author, slug, title, body, status, published_at, created_at FROM tb_post;

CREATE VIEW v_comment AS
SELECT id, pk_comment, fk_post, fk_author, body, created_at FROM tb_comment;

CREATE VIEW v_tag AS
SELECT id, pk_tag, name FROM tb_tag;

-- What stands between posts and tags.
CREATE VIEW v_post_tag AS
SELECT id, pk_post_tag, fk_post, fk_tag FROM tb_post_tag;
`

/** Content of db/04_data.sql in the template `blog` of `svc init`: sample rows. */
export const DATA_SQL = `-- A few rows to start with.

INSERT INTO tb_author (id, name, email, bio) VALUES
  ('00000000-0000-4000-8000-000000000001', 'Ada Lovelace', 'ada@example.org', 'Writes about engines'),
  ('00000000-0000-4000-8000-000000000002', 'Grace Hopper', 'grace@example.org', NULL);

INSERT INTO tb_post (id, fk_author, slug, title, body, status, published_at) VALUES
  ('00000000-0000-4000-8000-000000000011', (SELECT pk_author FROM tb_author WHERE email = 'ada@example.org'),
   'notes-on-the-engine', 'Notes on the engine', 'It weaves algebraic patterns.', 'published', '2026-01-05T09:00:00Z'),
  ('00000000-0000-4000-8000-000000000012', (SELECT pk_author FROM tb_author WHERE email = 'grace@example.org'),
   'the-first-bug', 'The first bug', 'Found in relay 70, panel F.', 'published', '2026-01-09T15:45:00Z'),
  ('00000000-0000-4000-8000-000000000013', (SELECT pk_author FROM tb_author WHERE email = 'ada@example.org'),
   'on-flying', 'On flying', 'To be written.', 'draft', NULL);

INSERT INTO tb_comment (id, fk_post, fk_author, body)
SELECT '00000000-0000-4000-8000-000000000021', p.pk_post, a.pk_author, 'As a loom weaves flowers and leaves?'
FROM tb_post p, tb_author a WHERE p.slug = 'notes-on-the-engine' AND a.email = 'grace@example.org';

INSERT INTO tb_tag (name) VALUES ('engines'), ('debugging');

INSERT INTO tb_post_tag (fk_post, fk_tag)
SELECT p.pk_post, t.pk_tag FROM tb_post p, tb_tag t
WHERE (p.slug, t.name) IN (VALUES ('notes-on-the-engine', 'engines'), ('the-first-bug', 'engines'), ('the-first-bug', 'debugging'));
`
