-- returns the response as text
SELECT (
  '{"books":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t1"."title" AS "title"
        FROM "v_book" "t1"
        WHERE (
          (
            ("t1"."title" ILIKE $1::text)
            OR (
              NOT (
                EXISTS (
                  SELECT FROM "v_shelf" "t2"
                  WHERE "t2"."pk_shelf" = "t1"."fk_shelf" AND ("t2"."label" = $2::text)
                )
              )
            )
          )
          AND "t1"."in_print" = $3::bool
        )
        ORDER BY "t1"."pk_book" ASC
        LIMIT 10
      ) r$
    )
  )::text
  || '}'
)

-- returns rows, which the server writes as JSON
SELECT "t3"."n", "t3"."f"
FROM (
  SELECT count(*) AS "n", string_agg(concat_ws(E'\x01', p$."c1"), E'\x01') AS "f"
  FROM (
    SELECT "t1"."title" AS "c1"
    FROM "v_book" "t1"
    WHERE (
      (
        ("t1"."title" ILIKE $1::text)
        OR (
          NOT (
            EXISTS (
              SELECT FROM "v_shelf" "t2"
              WHERE "t2"."pk_shelf" = "t1"."fk_shelf" AND ("t2"."label" = $2::text)
            )
          )
        )
      )
      AND "t1"."in_print" = $3::bool
    )
    ORDER BY "t1"."pk_book" ASC
    LIMIT 10
  ) p$
) "t3"
