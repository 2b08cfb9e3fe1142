const needs = (table: string, parameter: string, what: string): string =>
  `SELECT svc_raise('NOT_FOUND', 'There is no ${what} ' || :${parameter})
WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE id = :${parameter});`

const SLUG = "lower(replace(trim(:title), ' ', '-'))"

/**
 * Files of db/functions/ in the template `blog` of `svc init` for SQLite: by file name, the SQL script that a mutation
 * runs.
 */
export const SCRIPTS: Readonly<Record<string, string>> = {
  fn_create_post: `-- createPost(input): the fields of the input reach parameters of the same name. All statements of a script are one
-- transaction. svc_raise undoes them, its message goes to the client, and its code in capitals is the error's code.
-- :author_id uuid
-- :title text
-- :body text
-- :tags json = '[]'

${needs('tb_author', 'author_id', 'author')}
SELECT svc_raise('TITLE_EMPTY', 'A post needs a title') WHERE trim(:title) = '';
SELECT svc_raise('CONFLICT', 'There is a post "' || slug || '" already') FROM tb_post WHERE slug = ${SLUG};

INSERT INTO tb_post (fk_author, slug, title, body)
SELECT pk_author, ${SLUG}, :title, :body FROM tb_author WHERE id = :author_id;

INSERT INTO tb_tag (name) SELECT DISTINCT value FROM json_each(:tags) WHERE true ON CONFLICT DO NOTHING;
INSERT INTO tb_post_tag (fk_post, fk_tag)
SELECT pk_post, pk_tag FROM tb_post, tb_tag
WHERE slug = ${SLUG} AND tb_tag.name IN (SELECT value FROM json_each(:tags));

-- The last statement with columns is the result: a mutation_response, whose entity is read by its id.
SELECT 'created' AS status, 'Post created' AS message, id AS entity_id, 'Post' AS entity_type
FROM tb_post WHERE slug = ${SLUG};
`,
  fn_update_post: `-- updatePost(id, input): the input as JSON, so that "not given" and null are different things.
-- :id uuid
-- :input json

${needs('tb_post', 'id', 'post')}

UPDATE tb_post
SET title = coalesce(:input ->> 'title', title), body = coalesce(:input ->> 'body', body)
WHERE id = :id
RETURNING 'updated' AS status, 'Post updated' AS message, id AS entity_id, 'Post' AS entity_type,
  (SELECT json_group_array(key) FROM json_each(:input)) AS updated_fields;
`,
  fn_publish_post: `-- :id uuid

${needs('tb_post', 'id', 'post')}

UPDATE tb_post SET status = 'published', published_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
WHERE id = :id AND status = 'draft';

-- changes(): how many rows the last statement that writes has changed.
SELECT 'updated' AS status, 'Post published' AS message, id AS entity_id, 'Post' AS entity_type,
  '["status", "published_at"]' AS updated_fields
FROM tb_post WHERE id = :id AND changes() = 1
UNION ALL
SELECT 'noop:published', 'The post is published already', id, 'Post', '[]'
FROM tb_post WHERE id = :id AND changes() = 0;
`,
  fn_delete_post: `-- The answer describes the post as it was.
-- :id uuid

${needs('tb_post', 'id', 'post')}

DELETE FROM tb_post WHERE id = :id
RETURNING 'deleted' AS status, 'Post deleted' AS message, id AS entity_id, 'Post' AS entity_type,
  json_object('id', id, 'slug', slug, 'title', title, 'body', body, 'status', status,
    'published_at', published_at, 'created_at', created_at) AS entity;
`,
  fn_add_comment: `-- :post_id uuid
-- :author_id uuid
-- :body text

${needs('tb_post', 'post_id', 'post')}
${needs('tb_author', 'author_id', 'author')}

INSERT INTO tb_comment (fk_post, fk_author, body)
SELECT pk_post, pk_author, :body FROM tb_post p, tb_author a WHERE p.id = :post_id AND a.id = :author_id
RETURNING 'created' AS status, 'Comment added' AS message, id AS entity_id, 'Comment' AS entity_type;
`,
}
