/**
 * Content of db/03_functions.sql in the template `blog` of `svc init`: the PostgreSQL functions that its mutations
 * call.
 */
export const FUNCTIONS_SQL = `-- Functions, for writing: one per mutation. A function answers with a mutation_response, or raises: then nothing is
-- written, the message goes to the client, and a HINT in capitals is the error's code.

CREATE TYPE mutation_response AS (
  status text, message text, entity_id text, entity_type text, entity jsonb, updated_fields text[], cascade jsonb,
  metadata jsonb
);

CREATE FUNCTION post_response(p_status text, p_message text, p_id uuid, p_updated_fields text[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE sql STABLE AS $$
  SELECT p_status, p_message, p_id::text, 'Post', (SELECT to_jsonb(v) FROM v_post v WHERE v.id = p_id),
         p_updated_fields, NULL::jsonb, NULL::jsonb
$$;

CREATE FUNCTION pk_of_author(p_id uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_pk bigint;
BEGIN
  SELECT pk_author INTO v_pk FROM tb_author WHERE id = p_id;
  IF v_pk IS NULL THEN RAISE EXCEPTION 'There is no author %', p_id USING HINT = 'NOT_FOUND'; END IF;
  RETURN v_pk;
END $$;

CREATE FUNCTION pk_of_post(p_id uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_pk bigint;
BEGIN
  SELECT pk_post INTO v_pk FROM tb_post WHERE id = p_id;
  IF v_pk IS NULL THEN RAISE EXCEPTION 'There is no post %', p_id USING HINT = 'NOT_FOUND'; END IF;
  RETURN v_pk;
END $$;

-- createPost(input): the fields of the input reach parameters of the same name, with or without p_.
CREATE FUNCTION fn_create_post(p_author_id uuid, p_title text, p_body text, p_tags text[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_slug text := trim(both '-' from regexp_replace(lower(p_title), '[^a-z0-9]+', '-', 'g'));
  v_post tb_post;
BEGIN
  IF v_slug = '' THEN RAISE EXCEPTION 'A post needs a title' USING HINT = 'TITLE_EMPTY'; END IF;
  IF EXISTS (SELECT FROM tb_post WHERE slug = v_slug) THEN
    RETURN post_response('conflict:duplicate_title', format('There is a post "%s" already', v_slug), NULL);
  END IF;
  INSERT INTO tb_post (fk_author, slug, title, body) VALUES (pk_of_author(p_author_id), v_slug, p_title, p_body)
  RETURNING * INTO v_post;
  INSERT INTO tb_tag (name) SELECT DISTINCT unnest(coalesce(p_tags, '{}')) ON CONFLICT DO NOTHING;
  INSERT INTO tb_post_tag (fk_post, fk_tag) SELECT v_post.pk_post, pk_tag FROM tb_tag WHERE name = ANY (p_tags);
  RETURN post_response('created', 'Post created', v_post.id);
END $$;

-- updatePost(id, input): the input as JSON, so that "not given" and null are different things.
CREATE FUNCTION fn_update_post(p_id uuid, p_input jsonb) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_post
  SET title = coalesce(p_input ->> 'title', title), body = coalesce(p_input ->> 'body', body)
  WHERE pk_post = pk_of_post(p_id);
  RETURN post_response('updated', 'Post updated', p_id, ARRAY(SELECT jsonb_object_keys(p_input)));
END $$;

CREATE FUNCTION fn_publish_post(p_id uuid) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_post SET status = 'published', published_at = now()
  WHERE pk_post = pk_of_post(p_id) AND status = 'draft';
  IF NOT FOUND THEN RETURN post_response('noop:published', 'The post is published already', p_id); END IF;
  RETURN post_response('updated', 'Post published', p_id, ARRAY['status', 'published_at']);
END $$;

-- The answer describes the post as it was.
CREATE FUNCTION fn_delete_post(p_id uuid) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_pk bigint := pk_of_post(p_id);
  v_response mutation_response := post_response('deleted', 'Post deleted', p_id);
BEGIN
  DELETE FROM tb_post WHERE pk_post = v_pk;
  RETURN v_response;
END $$;

CREATE FUNCTION fn_add_comment(p_post_id uuid, p_author_id uuid, p_body text)
RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  INSERT INTO tb_comment (fk_post, fk_author, body) VALUES (pk_of_post(p_post_id), pk_of_author(p_author_id), p_body)
  RETURNING id INTO v_id;
  RETURN ROW('created', 'Comment added', v_id::text, 'Comment',
             (SELECT to_jsonb(v) FROM v_comment v WHERE v.id = v_id), '{}'::text[], NULL, NULL)::mutation_response;
END $$;
`
