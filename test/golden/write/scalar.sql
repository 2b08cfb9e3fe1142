-- no changes are reported
SELECT m.status, m.message, m.svc_id, m.svc_type, coalesce(to_json(m.entity)::text, 'null')
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    c.entity AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT 'ok' AS status,
      NULL::text AS message,
      NULL::text AS entity_id,↵4
      NULL::text AS entity_type,
      nullif(to_jsonb("svc_value"), 'null'::jsonb) AS entity,
      NULL::jsonb AS updated_fields,↵4
      NULL::jsonb AS cascade,
      NULL::jsonb AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      NULL::text AS error_class,
      NULL::text AS http_status,
      NULL::jsonb AS detail
    FROM "fn_int"("p_value" => $1::int4) AS "svc_call"("svc_value")
    OFFSET 0
  ) c
  OFFSET 0
) m

-- changes are reported
SELECT m.status,
  m.message,
  m.svc_id,
  m.svc_type,
  coalesce(to_json(m.entity)::text, 'null'),
  m.entity::text,
  m.updated_fields::text,
  m.cascade::text
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    c.entity AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT 'ok' AS status,
      NULL::text AS message,
      NULL::text AS entity_id,↵4
      NULL::text AS entity_type,
      nullif(to_jsonb("svc_value"), 'null'::jsonb) AS entity,
      NULL::jsonb AS updated_fields,↵4
      NULL::jsonb AS cascade,
      NULL::jsonb AS metadata,
      NULL::text AS code,
      NULL::text AS field,↵4
      NULL::text AS error_class,
      NULL::text AS http_status,
      NULL::jsonb AS detail
    FROM "fn_int"("p_value" => $1::int4) AS "svc_call"("svc_value")
    OFFSET 0
  ) c
  OFFSET 0
) m
