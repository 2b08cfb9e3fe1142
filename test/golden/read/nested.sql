-- returns the response as text
SELECT (
  '{"shelves":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t1"."label" AS "label",
          ARRAY(
            SELECT r$
            FROM (
              SELECT "t2"."title" AS "title"
              FROM "v_book" "t2"
              WHERE "t2"."fk_shelf" = "t1"."pk_shelf" AND ("t2"."price" < $1::numeric)
              ORDER BY "t2"."pk_book" ASC
              LIMIT 1
            ) r$
          ) AS "cheap",
          (
            SELECT coalesce(array_agg(r$), '{}')
            FROM (
              SELECT "t3"."title" AS "title",
                (
                  SELECT r$
                  FROM (
                    SELECT "t4"."label" AS "label"
                    FROM "v_shelf" "t4"
                    WHERE "t4"."pk_shelf" = "t3"."fk_shelf"
                  ) r$
                ) AS "shelf"
              FROM "v_book" "t3"
              WHERE "t3"."fk_shelf" = "t1"."pk_shelf"
              ORDER BY "t3"."title" DESC, "t3"."pk_book" DESC
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
            END
          ) AS "books"
        FROM "v_shelf" "t1"
        ORDER BY "t1"."label" ASC, "t1"."pk_shelf" ASC
        LIMIT $2::bigint
      ) r$
    )
  )::text
  || '}'
)
