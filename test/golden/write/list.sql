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
        WHEN (NOT (m.document ?& ARRAY['title']))
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
  m.item
FROM (
  SELECT c.*,
    coalesce(c.entity_id, c.entity ->> 'id') AS svc_id,↵4
    coalesce(c.entity_type, c.entity ->> '__typename') AS svc_type,↵4
    CASE WHEN jsonb_typeof(c.entity) = 'object' THEN c.entity ELSE '{}'::jsonb END AS document,
    NULL::jsonb AS slot
  FROM (
    SELECT l.status,
      l.message,
      CASE WHEN i.n IS NULL THEN l.entity_id END AS entity_id,
      l.entity_type,↵4
      i.value AS entity,
      l.updated_fields,
      l.cascade,
      l.metadata,
      l.code,
      l.field,
      l.error_class,
      l.http_status,
      l.detail,↵4
      i.n,
      CASE WHEN i.n IS NULL THEN jsonb_typeof(l.entity) ELSE 'item' END AS item↵4
    FROM (
      SELECT CASE
        WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
          "svc_value" ->> 'status'↵6
        WHEN (
          jsonb_typeof("svc_value" -> 'success') = 'boolean'
          AND "svc_value" ?| ARRAY['data','error']
        )
          AND NOT ("svc_value" ->> 'success')::boolean THEN
          'failed:' || coalesce("svc_value" ->> 'error', '')↵6
        ELSE 'ok'
      END AS status,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity'])
            OR (
              jsonb_typeof("svc_value" -> 'success') = 'boolean'
              AND "svc_value" ?| ARRAY['data','error']
            ) THEN
            "svc_value" ->> 'message'
        END AS message,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            "svc_value" ->> 'entity_id'
        END AS entity_id,↵4
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            "svc_value" ->> 'entity_type'
        END AS entity_type,
        nullif(
          CASE
            WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
              "svc_value" -> 'entity'↵6
            WHEN (
              jsonb_typeof("svc_value" -> 'success') = 'boolean'
              AND "svc_value" ?| ARRAY['data','error']
            ) THEN
              "svc_value" -> 'data'
            ELSE "svc_value"
          END,
          'null'::jsonb
        ) AS entity,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            nullif("svc_value" -> 'updated_fields', 'null'::jsonb)
        END AS updated_fields,↵4
        CASE
          WHEN (
            jsonb_typeof("svc_value" -> 'success') = 'boolean'
            AND "svc_value" ?| ARRAY['data','error']
          )
            AND NOT (
              jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']
            ) THEN
            "svc_value" -> '_cascade'↵6
          ELSE CASE
            WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
              nullif("svc_value" -> 'cascade', 'null'::jsonb)
          END
        END AS cascade,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            nullif("svc_value" -> 'metadata', 'null'::jsonb)
        END AS metadata,
        NULL::text AS code,
        NULL::text AS field,↵4
        NULL::text AS error_class,
        NULL::text AS http_status,
        NULL::jsonb AS detail
      FROM "fn_posts_json"("p_kind" => $1::text) AS "svc_call"("svc_value")
      OFFSET 0
    ) l
      LEFT JOIN LATERAL jsonb_array_elements(
        CASE
          jsonb_typeof(l.entity)
          WHEN 'array' THEN l.entity
          WHEN 'object' THEN jsonb_build_array(l.entity)
        END
      ) WITH ORDINALITY AS i(value, n) ON true
    OFFSET 0
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'title') AS "title") "svc row"
ORDER BY m.n

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
        WHEN (NOT (m.document ?& ARRAY['title']))
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
  m.item,
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
    SELECT l.status,
      l.message,
      CASE WHEN i.n IS NULL THEN l.entity_id END AS entity_id,
      l.entity_type,↵4
      i.value AS entity,
      l.updated_fields,
      l.cascade,
      l.metadata,
      l.code,
      l.field,
      l.error_class,
      l.http_status,
      l.detail,↵4
      i.n,
      CASE WHEN i.n IS NULL THEN jsonb_typeof(l.entity) ELSE 'item' END AS item↵4
    FROM (
      SELECT CASE
        WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
          "svc_value" ->> 'status'↵6
        WHEN (
          jsonb_typeof("svc_value" -> 'success') = 'boolean'
          AND "svc_value" ?| ARRAY['data','error']
        )
          AND NOT ("svc_value" ->> 'success')::boolean THEN
          'failed:' || coalesce("svc_value" ->> 'error', '')↵6
        ELSE 'ok'
      END AS status,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity'])
            OR (
              jsonb_typeof("svc_value" -> 'success') = 'boolean'
              AND "svc_value" ?| ARRAY['data','error']
            ) THEN
            "svc_value" ->> 'message'
        END AS message,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            "svc_value" ->> 'entity_id'
        END AS entity_id,↵4
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            "svc_value" ->> 'entity_type'
        END AS entity_type,
        nullif(
          CASE
            WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
              "svc_value" -> 'entity'↵6
            WHEN (
              jsonb_typeof("svc_value" -> 'success') = 'boolean'
              AND "svc_value" ?| ARRAY['data','error']
            ) THEN
              "svc_value" -> 'data'
            ELSE "svc_value"
          END,
          'null'::jsonb
        ) AS entity,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            nullif("svc_value" -> 'updated_fields', 'null'::jsonb)
        END AS updated_fields,↵4
        CASE
          WHEN (
            jsonb_typeof("svc_value" -> 'success') = 'boolean'
            AND "svc_value" ?| ARRAY['data','error']
          )
            AND NOT (
              jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']
            ) THEN
            "svc_value" -> '_cascade'↵6
          ELSE CASE
            WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
              nullif("svc_value" -> 'cascade', 'null'::jsonb)
          END
        END AS cascade,
        CASE
          WHEN (jsonb_typeof("svc_value") = 'object' AND "svc_value" ?& ARRAY['status','entity']) THEN
            nullif("svc_value" -> 'metadata', 'null'::jsonb)
        END AS metadata,
        NULL::text AS code,
        NULL::text AS field,↵4
        NULL::text AS error_class,
        NULL::text AS http_status,
        NULL::jsonb AS detail
      FROM "fn_posts_json"("p_kind" => $1::text) AS "svc_call"("svc_value")
      OFFSET 0
    ) l
      LEFT JOIN LATERAL jsonb_array_elements(
        CASE
          jsonb_typeof(l.entity)
          WHEN 'array' THEN l.entity
          WHEN 'object' THEN jsonb_build_array(l.entity)
        END
      ) WITH ORDINALITY AS i(value, n) ON true
    OFFSET 0
  ) c
  OFFSET 0
) m,
  LATERAL (SELECT (m.document -> 'title') AS "title") "svc row"
ORDER BY m.n
