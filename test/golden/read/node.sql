-- returns the response as text
SELECT (
  '{"node":'
  || coalesce(
    (
      SELECT to_json(r$)::text
      FROM (
        SELECT 'Shelf'::text AS "__typename", "t1"."id" AS "id", "t1"."label" AS "label"
        FROM "v_shelf" "t1"
        WHERE "t1"."id" = $1::uuid
        LIMIT 1
      ) r$
    ),
    'null'
  )
  || '}'
)
