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
        WHEN (
          CASE
            m.svc_type
            WHEN 'Post' THEN FALSE
            WHEN 'Author' THEN NOT (m.document ?& ARRAY['name'])
            ELSE FALSE
          END
        )
          AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
          CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
        ELSE CASE
          m.svc_type
          WHEN 'Post' THEN CASE WHEN m.entity IS NOT NULL THEN ('{' || '}') END
          WHEN 'Author' THEN
            CASE
              WHEN m.entity IS NOT NULL THEN
                ('{"name":' || coalesce(to_json((m.document -> 'name'))::text, 'null') || '}')
            END
          WHEN 'TriesError' THEN
            (
              '{"message":'
              || coalesce(
                to_json(coalesce(m.document -> 'message', to_jsonb(m.message)))::text, 'null'
              )
              || '}'
            )
          WHEN 'NotFoundError' THEN ('{' || '}')
          ELSE CASE
            WHEN m.entity IS NOT NULL THEN
              CAST('svc:unknown-type:' || left(coalesce(m.svc_type, 'NULL'), 100) || ':' AS integer)::text
          END
        END
      END
    WHEN lower(split_part(m.status, ':', 1)) = ANY (
      ARRAY['failed', 'error', 'conflict', 'not_found', 'forbidden']
    ) THEN
      NULL↵4
    ELSE CAST('svc:unknown-status:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
  END,
  m.metadata::text
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
    FROM "fn_outcome"("p_kind" => $1::text) AS "svc_call"
  ) c
  OFFSET 0
) m

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
        WHEN (
          CASE
            m.svc_type
            WHEN 'Post' THEN FALSE
            WHEN 'Author' THEN NOT (m.document ?& ARRAY['name'])
            ELSE FALSE
          END
        )
          AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN
          CAST('svc:entity-incomplete:' || left(coalesce(m.status, 'NULL'), 100) || ':' AS integer)::text
        ELSE CASE
          m.svc_type
          WHEN 'Post' THEN CASE WHEN m.entity IS NOT NULL THEN ('{' || '}') END
          WHEN 'Author' THEN
            CASE
              WHEN m.entity IS NOT NULL THEN
                ('{"name":' || coalesce(to_json((m.document -> 'name'))::text, 'null') || '}')
            END
          WHEN 'TriesError' THEN
            (
              '{"message":'
              || coalesce(
                to_json(coalesce(m.document -> 'message', to_jsonb(m.message)))::text, 'null'
              )
              || '}'
            )
          WHEN 'NotFoundError' THEN ('{' || '}')
          ELSE CASE
            WHEN m.entity IS NOT NULL THEN
              CAST('svc:unknown-type:' || left(coalesce(m.svc_type, 'NULL'), 100) || ':' AS integer)::text
          END
        END
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
  m.metadata::text
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
    FROM "fn_outcome"("p_kind" => $1::text) AS "svc_call"
  ) c
  OFFSET 0
) m
