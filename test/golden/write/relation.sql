-- no changes are reported
BEGIN
;
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  CASE
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
    ) THEN
      CASE WHEN m.entity IS NOT NULL THEN row_to_json("svc row")::text END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END,
  m.entity::text,
  jsonb_build_array(TRUE)::text
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT "svc_call"."status"::text AS status,
      "svc_call"."message"::text AS message,
      "svc_call"."entity_id"::text AS entity_id,↵4
      "svc_call"."entity_type"::text AS entity_type,
      nullif("svc_call"."entity", 'null'::jsonb) AS entity,
      to_jsonb("svc_call"."updated_fields") AS updated_fields,↵4
      nullif("svc_call"."cascade", 'null'::jsonb) AS cascade,
      nullif("svc_call"."metadata", 'null'::jsonb) AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      NULL::text AS error_class,
      NULL::text AS http_status,
      NULL::jsonb AS detail
    FROM "fn_create_post"("p_author_id" => $1::uuid, "p_title" => $2::text) AS "svc_call"
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'title') AS "title", NULL::text AS "author") "svc row"
;
SELECT (
  SELECT to_json(r$)::text
  FROM (
    SELECT "t1"."title" AS "title",
      (
        SELECT r$
        FROM (
          SELECT "t2"."name" AS "name"
          FROM "v_author" "t2"
          WHERE "t2"."pk_author" = "t1"."fk_author"
        ) r$
      ) AS "author"
    FROM "v_post" "t1"
    WHERE "t1"."id" = ANY($1::uuid[])
    LIMIT 1
  ) r$
)

-- changes are reported
BEGIN
;
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  CASE
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
    ) THEN
      CASE WHEN m.entity IS NOT NULL THEN row_to_json("svc row")::text END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END,
  m.entity::text,
  m.updated_fields::text,
  m.cascade::text,
  jsonb_build_array(TRUE)::text
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT "svc_call"."status"::text AS status,
      "svc_call"."message"::text AS message,
      "svc_call"."entity_id"::text AS entity_id,↵4
      "svc_call"."entity_type"::text AS entity_type,
      nullif("svc_call"."entity", 'null'::jsonb) AS entity,
      to_jsonb("svc_call"."updated_fields") AS updated_fields,↵4
      nullif("svc_call"."cascade", 'null'::jsonb) AS cascade,
      nullif("svc_call"."metadata", 'null'::jsonb) AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      NULL::text AS error_class,
      NULL::text AS http_status,
      NULL::jsonb AS detail
    FROM "fn_create_post"("p_author_id" => $1::uuid, "p_title" => $2::text) AS "svc_call"
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'title') AS "title", NULL::text AS "author") "svc row"
;
SELECT (
  SELECT to_json(r$)::text
  FROM (
    SELECT "t1"."title" AS "title",
      (
        SELECT r$
        FROM (
          SELECT "t2"."name" AS "name"
          FROM "v_author" "t2"
          WHERE "t2"."pk_author" = "t1"."fk_author"
        ) r$
      ) AS "author"
    FROM "v_post" "t1"
    WHERE "t1"."id" = ANY($1::uuid[])
    LIMIT 1
  ) r$
)
