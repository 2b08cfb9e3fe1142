-- returns the response as text
SELECT (
  '{"booksAggregate":'
  || coalesce(
    (
      SELECT to_json(r$)::text
      FROM (
        SELECT "t2"."a1" AS "count",
          (SELECT r$ FROM (SELECT "t2"."a2"::text AS "pages") r$) AS "sum",
          (SELECT r$ FROM (SELECT "t2"."a3"::text AS "price") r$) AS "avg"
        FROM (
          SELECT count(*) AS "a1",
            sum("t1"."pages") AS "a2",
            rtrim(
              rtrim(
                ((sum("t1"."price") + 0.0000000000000000) / nullif(count("t1"."price"), 0))::text,
                '0'
              ),
              '.'
            )::numeric AS "a3"
          FROM "v_book" "t1"
          WHERE ("t1"."pages" >= $1::int4)
        ) "t2"
      ) r$
    ),
    'null'
  )
  || ',"booksGroups":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT (
          SELECT r$
          FROM (
            SELECT CASE
              "t4"."a1" WHEN 'sf' THEN 'SF' WHEN 'crime' THEN 'CRIME' ELSE '?' || "t4"."a1"
            END AS "genre"
          ) r$
        ) AS "keys",
          "t4"."a2" AS "count",
          (SELECT r$ FROM (SELECT "t4"."a3" AS "addedAt") r$) AS "max"
        FROM (
          SELECT "t3"."genre" AS "a1",
            count(*) AS "a2",
            max("t3"."added_at") AS "a3",
            sum("t3"."sold") AS "a4"
          FROM "v_book" "t3"
          GROUP BY "t3"."genre"
        ) "t4"
        WHERE "t4"."a2" > $2::int8
        ORDER BY "t4"."a4" DESC, "t4"."a1" ASC
        LIMIT 2
      ) r$
    )
  )::text
  || ',"shelves":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t5"."label" AS "label",
          (
            SELECT r$
            FROM (
              SELECT "t7"."a1" AS "count",
                (SELECT r$ FROM (SELECT "t7"."a2" AS "genre") r$) AS "countDistinct"
              FROM (
                SELECT count(*) AS "a1", count(DISTINCT "t6"."genre") AS "a2"
                FROM "v_book" "t6"
                WHERE "t6"."fk_shelf" = "t5"."pk_shelf"
              ) "t7"
            ) r$
          ) AS "booksAggregate"
        FROM "v_shelf" "t5"
        ORDER BY "t5"."pk_shelf" ASC
        LIMIT 2
      ) r$
    )
  )::text
  || '}'
)
