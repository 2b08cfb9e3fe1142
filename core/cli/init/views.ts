/** db/02_views.sql of a new project. */
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
