-- returns the response as text
SELECT (
  '{"one":'
  || coalesce(
    (
      SELECT to_json(r$)::text
      FROM (
        SELECT "t1"."title" AS "title",
          (
            SELECT r$
            FROM (
              SELECT "t2"."label" AS "label"
              FROM "v_shelf" "t2"
              WHERE "t2"."pk_shelf" = "t1"."fk_shelf"
            ) r$
          ) AS "shelf"
        FROM "v_book" "t1"
        WHERE "t1"."id" = $1::uuid
        LIMIT 1
      ) r$
    ),
    'null'
  )
  || ',"__typename":'
  || $2::text
  || ',"shelf":'
  || coalesce(
    (
      SELECT to_json(r$)::text
      FROM (SELECT "t3"."note" AS "note" FROM "v_shelf" "t3" WHERE "t3"."id" = $3::uuid LIMIT 1) r$
    ),
    'null'
  )
  || '}'
)

-- returns rows, which the server writes as JSON
SELECT coalesce(
  (
    SELECT to_json(r$)::text
    FROM (
      SELECT "t2"."title" AS "title",
        (
          SELECT r$
          FROM (
            SELECT "t3"."label" AS "label"
            FROM "v_shelf" "t3"
            WHERE "t3"."pk_shelf" = "t2"."fk_shelf"
          ) r$
        ) AS "shelf"
      FROM "v_book" "t2"
      WHERE "t2"."id" = $1::uuid
      LIMIT 1
    ) r$
  ),
  'null'
),
  (
    SELECT concat_ws(E'\x01', coalesce('.' || p$."c1"::text, ''))
    FROM (SELECT "t4"."note" AS "c1" FROM "v_shelf" "t4" WHERE "t4"."id" = $2::uuid LIMIT 1) p$
  )
