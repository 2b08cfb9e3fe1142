-- no changes are reported
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  CASE
    WHEN (NOT (m.document ?& ARRAY['title']))
      AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
      CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
    ELSE CASE WHEN m.entity IS NOT NULL THEN row_to_json("svc row")::text END
  END
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT 'ok' AS status,
      NULL::text AS message,
      NULL::text AS entity_id,↵4
      NULL::text AS entity_type,
      CASE WHEN NOT ("svc_call" IS NULL) THEN to_jsonb("svc_call") END AS entity,
      NULL::jsonb AS updated_fields,↵4
      NULL::jsonb AS cascade,
      NULL::jsonb AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      NULL::text AS error_class,
      NULL::text AS http_status,
      NULL::jsonb AS detail
    FROM "fn_setof"("p_titles" => $1::text[]) AS "svc_call"
    OFFSET 0
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'title') AS "title") "svc row"

-- changes are reported
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  CASE
    WHEN (NOT (m.document ?& ARRAY['title']))
      AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
      CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
    ELSE CASE WHEN m.entity IS NOT NULL THEN row_to_json("svc row")::text END
  END,
  m.entity::text,
  m.updated_fields::text,
  m.cascade::text
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT 'ok' AS status,
      NULL::text AS message,
      NULL::text AS entity_id,↵4
      NULL::text AS entity_type,
      CASE WHEN NOT ("svc_call" IS NULL) THEN to_jsonb("svc_call") END AS entity,
      NULL::jsonb AS updated_fields,↵4
      NULL::jsonb AS cascade,
      NULL::jsonb AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      NULL::text AS error_class,
      NULL::text AS http_status,
      NULL::jsonb AS detail
    FROM "fn_setof"("p_titles" => $1::text[]) AS "svc_call"
    OFFSET 0
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'title') AS "title") "svc row"
