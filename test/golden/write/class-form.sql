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
        WHEN (NOT (m.document ?& ARRAY['name']))
          AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
          CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
        ELSE CASE WHEN m.entity IS NOT NULL THEN row_to_json("svc row")::text END
      END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END,
  m.error_class,
  m.http_status,
  m.detail::text
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT CASE
      WHEN "svc_call"."succeeded" AND "svc_call"."error_class"::text IS NULL↵4
        THEN CASE WHEN "svc_call"."state_changed" IS FALSE THEN 'noop' ELSE 'ok' END↵4
      WHEN NOT "svc_call"."succeeded" AND "svc_call"."state_changed" IS NOT TRUE THEN
        'error:' || coalesce("svc_call"."status_detail"::text, "svc_call"."error_class"::text, '')↵4
      ELSE 'succeeded='
        || coalesce("svc_call"."succeeded"::text, 'null')
        || ', state_changed='
        || coalesce("svc_call"."state_changed"::text, 'null')↵6
        || ', error_class=' || coalesce("svc_call"."error_class"::text, 'null')
    END AS status,
      "svc_call"."message"::text AS message,
      "svc_call"."entity_id"::text AS entity_id,↵4
      "svc_call"."entity_type"::text AS entity_type,
      nullif("svc_call"."entity", 'null'::jsonb) AS entity,
      to_jsonb("svc_call"."updated_fields") AS updated_fields,↵4
      nullif("svc_call"."cascade", 'null'::jsonb) AS cascade,
      nullif("svc_call"."metadata", 'null'::jsonb) AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      "svc_call"."error_class"::text AS error_class,
      "svc_call"."http_status"::text AS http_status,
      nullif("svc_call"."error_detail", 'null'::jsonb) AS detail
    FROM "fn_c"("p_ok" => $1::bool, "p_changed" => $2::bool) AS "svc_call"
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'name') AS "name") "svc row"

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
        WHEN (NOT (m.document ?& ARRAY['name']))
          AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
          CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
        ELSE CASE WHEN m.entity IS NOT NULL THEN row_to_json("svc row")::text END
      END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END,
  m.entity::text,
  m.updated_fields::text,
  m.cascade::text,
  m.error_class,
  m.http_status,
  m.detail::text
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT CASE
      WHEN "svc_call"."succeeded" AND "svc_call"."error_class"::text IS NULL↵4
        THEN CASE WHEN "svc_call"."state_changed" IS FALSE THEN 'noop' ELSE 'ok' END↵4
      WHEN NOT "svc_call"."succeeded" AND "svc_call"."state_changed" IS NOT TRUE THEN
        'error:' || coalesce("svc_call"."status_detail"::text, "svc_call"."error_class"::text, '')↵4
      ELSE 'succeeded='
        || coalesce("svc_call"."succeeded"::text, 'null')
        || ', state_changed='
        || coalesce("svc_call"."state_changed"::text, 'null')↵6
        || ', error_class=' || coalesce("svc_call"."error_class"::text, 'null')
    END AS status,
      "svc_call"."message"::text AS message,
      "svc_call"."entity_id"::text AS entity_id,↵4
      "svc_call"."entity_type"::text AS entity_type,
      nullif("svc_call"."entity", 'null'::jsonb) AS entity,
      to_jsonb("svc_call"."updated_fields") AS updated_fields,↵4
      nullif("svc_call"."cascade", 'null'::jsonb) AS cascade,
      nullif("svc_call"."metadata", 'null'::jsonb) AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      "svc_call"."error_class"::text AS error_class,
      "svc_call"."http_status"::text AS http_status,
      nullif("svc_call"."error_detail", 'null'::jsonb) AS detail
    FROM "fn_c"("p_ok" => $1::bool, "p_changed" => $2::bool) AS "svc_call"
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'name') AS "name") "svc row"
