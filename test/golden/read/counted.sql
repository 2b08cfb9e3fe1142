-- returns the response as text
SELECT (
  '{"countedBooks":'
  || (
    '{"totalCount":'
    || (SELECT count(*)::text FROM "v_book" "t1" WHERE ("t1"."pages" >= $1::int4))
    || ',"items":'
    || array_to_json(
      ARRAY(
        SELECT r$
        FROM (
          SELECT "t2"."title" AS "title"
          FROM "v_book" "t2"
          WHERE ("t2"."pages" >= $2::int4)
          ORDER BY "t2"."pk_book" ASC
          LIMIT 1
        ) r$
      )
    )::text
    || '}'
  )
  || '}'
)

-- returns rows, which the server writes as JSON
SELECT (SELECT count(*)::text FROM "v_book" "t1" WHERE ("t1"."pages" >= $1::int4)),
  "t3"."n",
  "t3"."f"
FROM (
  SELECT count(*) AS "n", string_agg(concat_ws(E'\x01', p$."c1"), E'\x01') AS "f"
  FROM (
    SELECT "t2"."title" AS "c1"
    FROM "v_book" "t2"
    WHERE ("t2"."pages" >= $2::int4)
    ORDER BY "t2"."pk_book" ASC
    LIMIT 1
  ) p$
) "t3"
