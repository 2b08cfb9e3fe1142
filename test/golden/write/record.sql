-- no changes are reported
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  CASE
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
    ) THEN
      CASE
        WHEN jsonb_typeof(m.document) = 'object'
          AND NOT (
            NOT (
              m.document ?& ARRAY['id', 'title'] AND m.document ?| ARRAY['view_count', 'viewCount']
            )
          ) THEN
          row_to_json("svc row")::text
        WHEN (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
          CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
      END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END
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
    NULL::jsonb AS detail,
    coalesce("svc_call"."entity_id"::text, "svc_call"."entity" ->> 'id') AS svc_id,↵4
    coalesce("svc_call"."entity_type"::text, "svc_call"."entity" ->> '__typename') AS svc_type,
    "svc_call"."entity" AS document
  FROM "fn_create_post"("p_author_id" => $1::uuid, "p_title" => $2::text) AS "svc_call"
) m,
  LATERAL (
    SELECT 'Post'::text AS "__typename",
      (m.document -> 'id') AS "id",
      (m.document -> 'title') AS "title",
      coalesce(m.document -> 'view_count', m.document -> 'viewCount') AS "viewCount"
  ) "svc row"

-- changes are reported
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  CASE
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop']
    ) THEN
      CASE
        WHEN jsonb_typeof(m.document) = 'object'
          AND NOT (
            NOT (
              m.document ?& ARRAY['id', 'title'] AND m.document ?| ARRAY['view_count', 'viewCount']
            )
          ) THEN
          row_to_json("svc row")::text
        WHEN (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
          CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
      END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END,
  m.entity::text,
  m.updated_fields::text,
  m.cascade::text
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
    NULL::jsonb AS detail,
    coalesce("svc_call"."entity_id"::text, "svc_call"."entity" ->> 'id') AS svc_id,↵4
    coalesce("svc_call"."entity_type"::text, "svc_call"."entity" ->> '__typename') AS svc_type,
    "svc_call"."entity" AS document
  FROM "fn_create_post"("p_author_id" => $1::uuid, "p_title" => $2::text) AS "svc_call"
) m,
  LATERAL (
    SELECT 'Post'::text AS "__typename",
      (m.document -> 'id') AS "id",
      (m.document -> 'title') AS "title",
      coalesce(m.document -> 'view_count', m.document -> 'viewCount') AS "viewCount"
  ) "svc row"
