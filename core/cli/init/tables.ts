/** db/01_tables.sql of a new project. */
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
