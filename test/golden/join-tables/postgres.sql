-- a list, and one over a composite key
SELECT (
  '{"films":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t1"."title" AS "title",
          ARRAY(
            SELECT r$
            FROM (
              SELECT "t2"."name" AS "name"
              FROM "actor" "t2"
              WHERE "t2"."actor_id" IN (
                SELECT "t3"."actor_id" FROM "cast_list" "t3" WHERE "t3"."film_id" = "t1"."film_id"
              )
                AND ("t2"."age" > $1::int4)
              ORDER BY "t2"."name" ASC, "t2"."actor_id" ASC
              LIMIT 2
            ) r$
          ) AS "actors",
          (
            SELECT coalesce(array_agg(r$), '{}')
            FROM (
              SELECT "t4"."label" AS "label"
              FROM "studio" "t4"
              WHERE ("t4"."land", "t4"."no") IN (
                SELECT "t5"."land", "t5"."no"
                FROM "film_studio" "t5"
                WHERE "t5"."film" = "t1"."film_id"
              )
              ORDER BY "t4"."land" ASC, "t4"."no" ASC
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
            END
          ) AS "studios"
        FROM "film" "t1"
        ORDER BY "t1"."film_id" ASC
        LIMIT 9
      ) r$
    )
  )::text
  || '}'
)

-- filters
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT "t1"."title" AS "title"
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT FROM "cast_list" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id" AND ("t3"."name" = $1::text)
        )
        AND NOT EXISTS (
          SELECT FROM "cast_list" "t6" JOIN "actor" "t5" ON "t5"."actor_id" = "t6"."actor_id"
          WHERE "t6"."film_id" = "t1"."film_id" AND ("t5"."age" < $2::int4)
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- an alternative within a filter
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT "t1"."title" AS "title"
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT FROM "cast_list" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND (
              (
                (
                  EXISTS (
                    SELECT FROM "follows" "t7"
                      JOIN "actor" "t6" ON "t6"."actor_id" = "t7"."followed"
                    WHERE "t7"."follower" = "t3"."actor_id" AND ("t6"."age" > $1::int4)
                  )
                )
                OR ("t3"."age" < $2::int4)
              )
            )
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- groups
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT (
        SELECT coalesce(array_agg(r$), '{}')
        FROM (
          SELECT (SELECT r$ FROM (SELECT "t4"."a1" AS "age") r$) AS "keys", "t4"."a2" AS "count"
          FROM (
            SELECT "t2"."age" AS "a1", count(*) AS "a2"
            FROM "actor" "t2"
            WHERE "t2"."actor_id" IN (
              SELECT "t3"."actor_id" FROM "cast_list" "t3" WHERE "t3"."film_id" = "t1"."film_id"
            )
            GROUP BY "t2"."age"
          ) "t4"
          ORDER BY "t4"."a1" ASC
          LIMIT 1001
        ) r$
        HAVING CASE
          WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
        END
      ) AS "actorsGroups"
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:1:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- aggregates
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT (
        SELECT r$
        FROM (
          SELECT "t4"."a1" AS "count"
          FROM (
            SELECT count(*) AS "a1"
            FROM "actor" "t2"
            WHERE "t2"."actor_id" IN (
              SELECT "t3"."actor_id" FROM "cast_list" "t3" WHERE "t3"."film_id" = "t1"."film_id"
            )
              AND ("t2"."age" > $1::int4)
          ) "t4"
        ) r$
      ) AS "actorsAggregate"
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- a list, and one over a composite key, with rules of the join table
WITH "svc:1" AS NOT MATERIALIZED (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT (
  '{"films":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t1"."title" AS "title",
          ARRAY(
            SELECT r$
            FROM (
              SELECT "t2"."name" AS "name"
              FROM "actor" "t2"
              WHERE "t2"."actor_id" IN (
                SELECT "t3"."actor_id"
                FROM "svc:1" "t3"
                WHERE "t3"."film_id" = "t1"."film_id" AND "t3"."owner" = ANY($1::text[])
              )
                AND ("t2"."age" > $2::int4)
              ORDER BY "t2"."name" ASC, "t2"."actor_id" ASC
              LIMIT 2
            ) r$
          ) AS "actors",
          (
            SELECT coalesce(array_agg(r$), '{}')
            FROM (
              SELECT "t4"."label" AS "label"
              FROM "studio" "t4"
              WHERE ("t4"."land", "t4"."no") IN (
                SELECT "t5"."land", "t5"."no"
                FROM "film_studio" "t5"
                WHERE "t5"."film" = "t1"."film_id"
              )
              ORDER BY "t4"."land" ASC, "t4"."no" ASC
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
            END
          ) AS "studios"
        FROM "film" "t1"
        ORDER BY "t1"."film_id" ASC
        LIMIT 9
      ) r$
    )
  )::text
  || '}'
)

-- filters, with rules of the join table
WITH "svc:1" AS NOT MATERIALIZED (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT "t1"."title" AS "title"
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT FROM "svc:1" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND "t4"."owner" = ANY($1::text[])
            AND ("t3"."name" = $2::text)
        )
        AND NOT EXISTS (
          SELECT FROM "svc:1" "t6" JOIN "actor" "t5" ON "t5"."actor_id" = "t6"."actor_id"
          WHERE "t6"."film_id" = "t1"."film_id"
            AND "t6"."owner" = ANY($3::text[])
            AND ("t5"."age" < $4::int4)
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- an alternative within a filter, with rules of the join table
WITH "svc:1" AS NOT MATERIALIZED (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT "t1"."title" AS "title"
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT FROM "svc:1" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND "t4"."owner" = ANY($1::text[])
            AND (
              (
                (
                  EXISTS (
                    SELECT FROM "follows" "t7"
                      JOIN "actor" "t6" ON "t6"."actor_id" = "t7"."followed"
                    WHERE "t7"."follower" = "t3"."actor_id" AND ("t6"."age" > $2::int4)
                  )
                )
                OR ("t3"."age" < $3::int4)
              )
            )
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- groups, with rules of the join table
WITH "svc:1" AS NOT MATERIALIZED (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT (
        SELECT coalesce(array_agg(r$), '{}')
        FROM (
          SELECT (SELECT r$ FROM (SELECT "t4"."a1" AS "age") r$) AS "keys", "t4"."a2" AS "count"
          FROM (
            SELECT "t2"."age" AS "a1", count(*) AS "a2"
            FROM "actor" "t2"
            WHERE "t2"."actor_id" IN (
              SELECT "t3"."actor_id"
              FROM "svc:1" "t3"
              WHERE "t3"."film_id" = "t1"."film_id" AND "t3"."owner" = ANY($1::text[])
            )
            GROUP BY "t2"."age"
          ) "t4"
          ORDER BY "t4"."a1" ASC
          LIMIT 1001
        ) r$
        HAVING CASE
          WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
        END
      ) AS "actorsGroups"
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:1:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)

-- aggregates, with rules of the join table
WITH "svc:1" AS NOT MATERIALIZED (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT (
  '{"films":'
  || (
    SELECT array_to_json(coalesce(array_agg(r$), '{}'))::text
    FROM (
      SELECT (
        SELECT r$
        FROM (
          SELECT "t4"."a1" AS "count"
          FROM (
            SELECT count(*) AS "a1"
            FROM "actor" "t2"
            WHERE "t2"."actor_id" IN (
              SELECT "t3"."actor_id"
              FROM "svc:1" "t3"
              WHERE "t3"."film_id" = "t1"."film_id" AND "t3"."owner" = ANY($1::text[])
            )
              AND ("t2"."age" > $2::int4)
          ) "t4"
        ) r$
      ) AS "actorsAggregate"
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) r$
    HAVING CASE
      WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0 ELSE TRUE
    END
  )
  || '}'
)
