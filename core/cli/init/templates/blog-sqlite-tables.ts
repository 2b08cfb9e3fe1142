const KEY = (name: string): string => `pk_${name} INTEGER PRIMARY KEY,
  id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()),`
const NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"

/** Content of db/01_tables.sql in the template `blog` of `svc init`, for SQLite. */
export const TABLES_SQL = `-- Tables, for writing. Each has pk_<x> for joins, id for clients. svc_uuid() is svc's: other programs give an id themselves.

CREATE TABLE tb_author (
  ${KEY('author')}
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  bio TEXT,
  created_at DATETIME NOT NULL DEFAULT ${NOW}
);

CREATE TABLE tb_post (
  ${KEY('post')}
  fk_author INTEGER NOT NULL REFERENCES tb_author,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published')),
  published_at DATETIME,
  created_at DATETIME NOT NULL DEFAULT ${NOW}
);
CREATE INDEX ix_post_author ON tb_post (fk_author);

CREATE TABLE tb_comment (
  ${KEY('comment')}
  fk_post INTEGER NOT NULL REFERENCES tb_post ON DELETE CASCADE,
  fk_author INTEGER NOT NULL REFERENCES tb_author,
  body TEXT NOT NULL,
  created_at DATETIME NOT NULL DEFAULT ${NOW}
);
CREATE INDEX ix_comment_post ON tb_comment (fk_post);
CREATE INDEX ix_comment_author ON tb_comment (fk_author);

CREATE TABLE tb_tag (
  ${KEY('tag')}
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE tb_post_tag (
  ${KEY('post_tag')}
  fk_post INTEGER NOT NULL REFERENCES tb_post ON DELETE CASCADE,
  fk_tag INTEGER NOT NULL REFERENCES tb_tag ON DELETE CASCADE,
  UNIQUE (fk_post, fk_tag)
);
CREATE INDEX ix_post_tag_tag ON tb_post_tag (fk_tag);
`
