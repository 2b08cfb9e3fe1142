-- a list, and one over a composite key
SELECT (
  '{"films":'
  || (
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'title',
        CASE
          typeof("t1"."title")
          WHEN 'real' THEN svc_number("t1"."title")
          ELSE CAST("t1"."title" AS TEXT)
        END,
        'actors',
        json(
          (
            SELECT json_group_array(json(r$.json))
            FROM (
              SELECT json_object(
                'name',
                CASE
                  typeof("t2"."name")
                  WHEN 'real' THEN svc_number("t2"."name")
                  ELSE CAST("t2"."name" AS TEXT)
                END
              ) AS json
              FROM "actor" "t2"
              WHERE "t2"."actor_id" IN (
                SELECT "t3"."actor_id" FROM "cast_list" "t3" WHERE "t3"."film_id" = "t1"."film_id"
              )
                AND ("t2"."age" > CAST(?1 AS INTEGER))
              ORDER BY "t2"."name" ASC NULLS LAST, "t2"."actor_id" ASC NULLS LAST
              LIMIT 2
            ) r$
          )
        ),
        'studios',
        json(
          (
            SELECT json_group_array(json(r$.json))
            FROM (
              SELECT json_object(
                'label',
                CASE
                  typeof("t4"."label")
                  WHEN 'real' THEN svc_number("t4"."label")
                  ELSE CAST("t4"."label" AS TEXT)
                END
              ) AS json
              FROM "studio" "t4"
              WHERE ("t4"."land", "t4"."no") IN (
                SELECT "t5"."land", "t5"."no"
                FROM "film_studio" "t5"
                WHERE "t5"."film" = "t1"."film_id"
              )
              ORDER BY "t4"."land" ASC NULLS LAST, "t4"."no" ASC NULLS LAST
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE
            END
          )
        )
      ) AS json
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 9
    ) r$
  )
  || '}'
)

-- filters
SELECT (
  '{"films":'
  || (
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'title',
        CASE
          typeof("t1"."title")
          WHEN 'real' THEN svc_number("t1"."title")
          ELSE CAST("t1"."title" AS TEXT)
        END
      ) AS json
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT 1
          FROM "cast_list" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id" AND ("t3"."name" IN (?1))
        )
        AND NOT EXISTS (
          SELECT 1
          FROM "cast_list" "t6" JOIN "actor" "t5" ON "t5"."actor_id" = "t6"."actor_id"
          WHERE "t6"."film_id" = "t1"."film_id" AND ("t5"."age" < CAST(?2 AS INTEGER))
        )
      )
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE END
  )
  || '}'
)

-- an alternative within a filter
SELECT (
  '{"films":'
  || (
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'title',
        CASE
          typeof("t1"."title")
          WHEN 'real' THEN svc_number("t1"."title")
          ELSE CAST("t1"."title" AS TEXT)
        END
      ) AS json
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT 1
          FROM "cast_list" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND (
              (
                (
                  EXISTS (
                    SELECT 1
                    FROM "follows" "t7" JOIN "actor" "t6" ON "t6"."actor_id" = "t7"."followed"
                    WHERE "t7"."follower" = "t3"."actor_id" AND ("t6"."age" > CAST(?1 AS INTEGER))
                  )
                )
                OR ("t3"."age" < CAST(?2 AS INTEGER))
              )
            )
        )
      )
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE END
  )
  || '}'
)

-- groups
SELECT (
  '{"films":'
  || (
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'actorsGroups',
        json(
          (
            SELECT json_group_array(json(r$.json))
            FROM (
              SELECT json_object(
                'keys',
                json((SELECT r$.json FROM (SELECT json_object('age', "t4"."a1") AS json) r$)),
                'count',
                "t4"."a2"
              ) AS json
              FROM (
                SELECT min("t2"."age") AS "a1", count(*) AS "a2"
                FROM "actor" "t2"
                WHERE "t2"."actor_id" IN (
                  SELECT "t3"."actor_id" FROM "cast_list" "t3" WHERE "t3"."film_id" = "t1"."film_id"
                )
                GROUP BY "t2"."age"
              ) "t4"
              ORDER BY "t4"."a1" ASC NULLS LAST
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE
            END
          )
        )
      ) AS json
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:1:' || count(*)) ELSE TRUE END
  )
  || '}'
)

-- aggregates
SELECT (
  '{"films":'
  || (
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'actorsAggregate',
        json(
          (
            SELECT r$.json
            FROM (
              SELECT json_object('count', "t4"."a1") AS json
              FROM (
                SELECT count(*) AS "a1"
                FROM "actor" "t2"
                WHERE "t2"."actor_id" IN (
                  SELECT "t3"."actor_id" FROM "cast_list" "t3" WHERE "t3"."film_id" = "t1"."film_id"
                )
                  AND ("t2"."age" > CAST(?1 AS INTEGER))
              ) "t4"
            ) r$
          )
        )
      ) AS json
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE END
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
  || (
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'title',
        CASE
          typeof("t1"."title")
          WHEN 'real' THEN svc_number("t1"."title")
          ELSE CAST("t1"."title" AS TEXT)
        END,
        'actors',
        json(
          (
            SELECT json_group_array(json(r$.json))
            FROM (
              SELECT json_object(
                'name',
                CASE
                  typeof("t2"."name")
                  WHEN 'real' THEN svc_number("t2"."name")
                  ELSE CAST("t2"."name" AS TEXT)
                END
              ) AS json
              FROM "actor" "t2"
              WHERE "t2"."actor_id" IN (
                SELECT "t3"."actor_id"
                FROM "svc:1" "t3"
                WHERE "t3"."film_id" = "t1"."film_id"
                  AND "t3"."owner" IN (
                    SELECT l$.v FROM (SELECT e$.value AS v, e$.key AS n FROM json_each(?1) e$) l$
                  )
              )
                AND ("t2"."age" > CAST(?2 AS INTEGER))
              ORDER BY "t2"."name" ASC NULLS LAST, "t2"."actor_id" ASC NULLS LAST
              LIMIT 2
            ) r$
          )
        ),
        'studios',
        json(
          (
            SELECT json_group_array(json(r$.json))
            FROM (
              SELECT json_object(
                'label',
                CASE
                  typeof("t4"."label")
                  WHEN 'real' THEN svc_number("t4"."label")
                  ELSE CAST("t4"."label" AS TEXT)
                END
              ) AS json
              FROM "studio" "t4"
              WHERE ("t4"."land", "t4"."no") IN (
                SELECT "t5"."land", "t5"."no"
                FROM "film_studio" "t5"
                WHERE "t5"."film" = "t1"."film_id"
              )
              ORDER BY "t4"."land" ASC NULLS LAST, "t4"."no" ASC NULLS LAST
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE
            END
          )
        )
      ) AS json
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 9
    ) r$
  )
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
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'title',
        CASE
          typeof("t1"."title")
          WHEN 'real' THEN svc_number("t1"."title")
          ELSE CAST("t1"."title" AS TEXT)
        END
      ) AS json
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT 1
          FROM "svc:1" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND "t4"."owner" IN (
              SELECT l$.v FROM (SELECT e$.value AS v, e$.key AS n FROM json_each(?1) e$) l$
            )
            AND ("t3"."name" IN (?2))
        )
        AND NOT EXISTS (
          SELECT 1
          FROM "svc:1" "t6" JOIN "actor" "t5" ON "t5"."actor_id" = "t6"."actor_id"
          WHERE "t6"."film_id" = "t1"."film_id"
            AND "t6"."owner" IN (
              SELECT l$.v FROM (SELECT e$.value AS v, e$.key AS n FROM json_each(?3) e$) l$
            )
            AND ("t5"."age" < CAST(?4 AS INTEGER))
        )
      )
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE END
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
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'title',
        CASE
          typeof("t1"."title")
          WHEN 'real' THEN svc_number("t1"."title")
          ELSE CAST("t1"."title" AS TEXT)
        END
      ) AS json
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT 1
          FROM "svc:1" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND "t4"."owner" IN (
              SELECT l$.v FROM (SELECT e$.value AS v, e$.key AS n FROM json_each(?1) e$) l$
            )
            AND (
              (
                (
                  EXISTS (
                    SELECT 1
                    FROM "follows" "t7" JOIN "actor" "t6" ON "t6"."actor_id" = "t7"."followed"
                    WHERE "t7"."follower" = "t3"."actor_id" AND ("t6"."age" > CAST(?2 AS INTEGER))
                  )
                )
                OR ("t3"."age" < CAST(?3 AS INTEGER))
              )
            )
        )
      )
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE END
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
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'actorsGroups',
        json(
          (
            SELECT json_group_array(json(r$.json))
            FROM (
              SELECT json_object(
                'keys',
                json((SELECT r$.json FROM (SELECT json_object('age', "t4"."a1") AS json) r$)),
                'count',
                "t4"."a2"
              ) AS json
              FROM (
                SELECT min("t2"."age") AS "a1", count(*) AS "a2"
                FROM "actor" "t2"
                WHERE "t2"."actor_id" IN (
                  SELECT "t3"."actor_id"
                  FROM "svc:1" "t3"
                  WHERE "t3"."film_id" = "t1"."film_id"
                    AND "t3"."owner" IN (
                      SELECT l$.v FROM (SELECT e$.value AS v, e$.key AS n FROM json_each(?1) e$) l$
                    )
                )
                GROUP BY "t2"."age"
              ) "t4"
              ORDER BY "t4"."a1" ASC NULLS LAST
              LIMIT 1001
            ) r$
            HAVING CASE
              WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE
            END
          )
        )
      ) AS json
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:1:' || count(*)) ELSE TRUE END
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
    SELECT json_group_array(json(r$.json))
    FROM (
      SELECT json_object(
        'actorsAggregate',
        json(
          (
            SELECT r$.json
            FROM (
              SELECT json_object('count', "t4"."a1") AS json
              FROM (
                SELECT count(*) AS "a1"
                FROM "actor" "t2"
                WHERE "t2"."actor_id" IN (
                  SELECT "t3"."actor_id"
                  FROM "svc:1" "t3"
                  WHERE "t3"."film_id" = "t1"."film_id"
                    AND "t3"."owner" IN (
                      SELECT l$.v FROM (SELECT e$.value AS v, e$.key AS n FROM json_each(?1) e$) l$
                    )
                )
                  AND ("t2"."age" > CAST(?2 AS INTEGER))
              ) "t4"
            ) r$
          )
        )
      ) AS json
      FROM "film" "t1"
      ORDER BY "t1"."film_id" ASC NULLS LAST
      LIMIT 1001
    ) r$
    HAVING CASE WHEN count(*) > 1000 THEN svc_fail('svc:max_rows:0:' || count(*)) ELSE TRUE END
  )
  || '}'
)
