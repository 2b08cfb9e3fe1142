-- returns the response as text
SELECT (
  '{"myBooks":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT "t1"."title" AS "title"
      FROM "v_book" "t1"
      WHERE "t1"."owner" = ANY($1::text[])
        AND ((("t1"."pages" IS NULL) OR ("t1"."tags" @> $2::text[])))
      ORDER BY "t1"."pk_book" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || ',"filteredBooks":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t2"."title" AS "title"
        FROM "v_book" "t2"
        WHERE (
          owner = $3↵0
          )
        ORDER BY "t2"."pk_book" ASC
        LIMIT 5
      ) r$
    )
  )::text
  || '}'
)

-- returns rows, which the server writes as JSON
SELECT "t2"."n", "t2"."f", "t4"."n", "t4"."f"
FROM (
  SELECT count(*) AS "n", string_agg(concat_ws(E'\x01', p$."c1"), E'\x01') AS "f"
  FROM (
    SELECT "t1"."title" AS "c1"
    FROM "v_book" "t1"
    WHERE "t1"."owner" = ANY($1::text[])
      AND ((("t1"."pages" IS NULL) OR ("t1"."tags" @> $2::text[])))
    ORDER BY "t1"."pk_book" ASC
    LIMIT 1001
  ) p$
  HAVING CASE
    WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
  END
) "t2",
  (
    SELECT count(*) AS "n", string_agg(concat_ws(E'\x01', p$."c1"), E'\x01') AS "f"
    FROM (
      SELECT "t3"."title" AS "c1"
      FROM "v_book" "t3"
      WHERE (
        owner = $3↵0
        )
      ORDER BY "t3"."pk_book" ASC
      LIMIT 5
    ) p$
  ) "t4"
