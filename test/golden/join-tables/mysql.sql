-- a list, and one over a composite key
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(
            CONCAT(
              '{"title":',
              COALESCE(JSON_QUOTE("t1"."title"), 'null'),
              ',"actors":',
              COALESCE(
                (
                  SELECT CONCAT(
                    '[',
                    COALESCE(
                      GROUP_CONCAT(
                        COALESCE(
                          CONCAT('{"name":', COALESCE(JSON_QUOTE("t2"."name"), 'null'), '}'), 'null'
                        )
                        ORDER BY k$.n SEPARATOR ','
                      ),
                      ''
                    ),
                    ']'
                  )
                  FROM JSON_TABLE(
                    (
                      SELECT CONCAT(
                        '[',
                        COALESCE(
                          GROUP_CONCAT(
                            "t2"."actor_id"
                            ORDER BY "t2"."name" ASC, "t2"."actor_id" ASC SEPARATOR ','
                          ),
                          ''
                        ),
                        ']'
                      )
                      FROM "actor" "t2"
                      WHERE "t2"."actor_id" IN (
                        SELECT "t3"."actor_id"
                        FROM "cast_list" "t3"
                        WHERE "t3"."film_id" = "t1"."film_id"
                      )
                        AND ("t2"."age" > CAST(?1 AS SIGNED))
                    ),
                    '$[*]' COLUMNS (n FOR ORDINALITY, v BIGINT PATH '$')
                  ) k$ STRAIGHT_JOIN "actor" "t2" ON "t2"."actor_id" = k$.v
                  WHERE k$.n <= 2
                ),
                'null'
              ),
              ',"studios":',
              COALESCE(
                (
                  SELECT CONCAT(
                    '[',
                    COALESCE(
                      GROUP_CONCAT(
                        COALESCE(
                          CONCAT('{"label":', COALESCE(JSON_QUOTE("t4"."label"), 'null'), '}'),
                          'null'
                        )
                        ORDER BY "t4"."land" ASC, "t4"."no" ASC SEPARATOR ','
                      ),
                      ''
                    ),
                    ']'
                  )
                  FROM "studio" "t4"
                  WHERE ("t4"."land", "t4"."no") IN (
                    SELECT "t5"."land", "t5"."no"
                    FROM "film_studio" "t5"
                    WHERE "t5"."film" = "t1"."film_id"
                  )
                  HAVING CASE
                    WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0'))
                    ELSE TRUE
                  END
                ),
                'null'
              ),
              '}'
            ),
            'null'
          )
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (SELECT * FROM "film" "t1" ORDER BY "t1"."film_id" ASC LIMIT 9) "t1"
  ),
  '}'
)

-- filters
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(CONCAT('{"title":', COALESCE(JSON_QUOTE("t1"."title"), 'null'), '}'), 'null')
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (
      SELECT *
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
          WHERE "t6"."film_id" = "t1"."film_id" AND ("t5"."age" < CAST(?2 AS SIGNED))
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0')) ELSE TRUE
    END
  ),
  '}'
)

-- an alternative within a filter
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(CONCAT('{"title":', COALESCE(JSON_QUOTE("t1"."title"), 'null'), '}'), 'null')
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (
      SELECT *
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
                    WHERE "t7"."follower" = "t3"."actor_id" AND ("t6"."age" > CAST(?1 AS SIGNED))
                  )
                )
                OR ("t3"."age" < CAST(?2 AS SIGNED))
              )
            )
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0')) ELSE TRUE
    END
  ),
  '}'
)

-- groups
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(
            CONCAT(
              '{"actorsGroups":',
              COALESCE(
                (
                  SELECT CONCAT(
                    '[',
                    COALESCE(
                      GROUP_CONCAT(
                        COALESCE(
                          CONCAT(
                            '{"keys":',
                            COALESCE(CONCAT('{"age":', COALESCE("t3"."a1", 'null'), '}'), 'null'),
                            ',"count":',
                            COALESCE("t3"."a2", 'null'),
                            '}'
                          ),
                          'null'
                        )
                        ORDER BY ("t3"."a1" IS NULL) ASC, "t3"."a1" ASC SEPARATOR ','
                      ),
                      ''
                    ),
                    ']'
                  )
                  FROM (
                    SELECT "t5"."k1" AS "k1", MIN("t2"."age") AS "a1", count(*) AS "a2"
                    FROM (
                      SELECT DISTINCT "t4"."film_id" AS "k1", "t4"."actor_id" AS "p1"
                      FROM "cast_list" "t4"
                    ) "t5"
                      JOIN "actor" "t2"
                    WHERE "t2"."actor_id" = "t5"."p1"
                    GROUP BY "t5"."k1", "t2"."age"
                  ) "t3"
                  WHERE "t3"."k1" = "t1"."film_id"
                  HAVING CASE
                    WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0'))
                    ELSE TRUE
                  END
                ),
                'null'
              ),
              '}'
            ),
            'null'
          )
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (SELECT * FROM "film" "t1" ORDER BY "t1"."film_id" ASC LIMIT 1001) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:1')) ELSE TRUE
    END
  ),
  '}'
)

-- aggregates
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(
            CONCAT(
              '{"actorsAggregate":',
              COALESCE(
                (
                  SELECT CONCAT('{"count":', COALESCE(count(*), 'null'), '}')
                  FROM "actor" "t2"
                  WHERE "t2"."actor_id" IN (
                    SELECT "t3"."actor_id"
                    FROM "cast_list" "t3"
                    WHERE "t3"."film_id" = "t1"."film_id"
                  )
                    AND ("t2"."age" > CAST(?1 AS SIGNED))
                ),
                'null'
              ),
              '}'
            ),
            'null'
          )
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (SELECT * FROM "film" "t1" ORDER BY "t1"."film_id" ASC LIMIT 1001) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0')) ELSE TRUE
    END
  ),
  '}'
)

-- a list, and one over a composite key, with rules of the join table
WITH "svc:1" AS (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(
            CONCAT(
              '{"title":',
              COALESCE(JSON_QUOTE("t1"."title"), 'null'),
              ',"actors":',
              COALESCE(
                (
                  SELECT CONCAT(
                    '[',
                    COALESCE(
                      GROUP_CONCAT(
                        COALESCE(
                          CONCAT('{"name":', COALESCE(JSON_QUOTE("t2"."name"), 'null'), '}'), 'null'
                        )
                        ORDER BY k$.n SEPARATOR ','
                      ),
                      ''
                    ),
                    ']'
                  )
                  FROM JSON_TABLE(
                    (
                      SELECT CONCAT(
                        '[',
                        COALESCE(
                          GROUP_CONCAT(
                            "t2"."actor_id"
                            ORDER BY "t2"."name" ASC, "t2"."actor_id" ASC SEPARATOR ','
                          ),
                          ''
                        ),
                        ']'
                      )
                      FROM "actor" "t2"
                      WHERE "t2"."actor_id" IN (
                        SELECT "t3"."actor_id"
                        FROM "svc:1" "t3"
                        WHERE "t3"."film_id" = "t1"."film_id"
                          AND (
                            JSON_LENGTH(?1) > 0
                            AND "t3"."owner" IN (
                              SELECT JSON_UNQUOTE(l$.j)
                              FROM JSON_TABLE(
                                ?1,
                                '$[*]' COLUMNS (
                                  n FOR ORDINALITY,
                                  v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$',
                                  j JSON PATH '$'
                                )
                              ) l$
                            )
                          )
                      )
                        AND ("t2"."age" > CAST(?2 AS SIGNED))
                    ),
                    '$[*]' COLUMNS (n FOR ORDINALITY, v BIGINT PATH '$')
                  ) k$ STRAIGHT_JOIN "actor" "t2" ON "t2"."actor_id" = k$.v
                  WHERE k$.n <= 2
                ),
                'null'
              ),
              ',"studios":',
              COALESCE(
                (
                  SELECT CONCAT(
                    '[',
                    COALESCE(
                      GROUP_CONCAT(
                        COALESCE(
                          CONCAT('{"label":', COALESCE(JSON_QUOTE("t4"."label"), 'null'), '}'),
                          'null'
                        )
                        ORDER BY "t4"."land" ASC, "t4"."no" ASC SEPARATOR ','
                      ),
                      ''
                    ),
                    ']'
                  )
                  FROM "studio" "t4"
                  WHERE ("t4"."land", "t4"."no") IN (
                    SELECT "t5"."land", "t5"."no"
                    FROM "film_studio" "t5"
                    WHERE "t5"."film" = "t1"."film_id"
                  )
                  HAVING CASE
                    WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0'))
                    ELSE TRUE
                  END
                ),
                'null'
              ),
              '}'
            ),
            'null'
          )
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (SELECT * FROM "film" "t1" ORDER BY "t1"."film_id" ASC LIMIT 9) "t1"
  ),
  '}'
)

-- filters, with rules of the join table
WITH "svc:1" AS (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(CONCAT('{"title":', COALESCE(JSON_QUOTE("t1"."title"), 'null'), '}'), 'null')
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (
      SELECT *
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT 1
          FROM "svc:1" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND (
              JSON_LENGTH(?1) > 0
              AND "t4"."owner" IN (
                SELECT JSON_UNQUOTE(l$.j)
                FROM JSON_TABLE(
                  ?1,
                  '$[*]' COLUMNS (
                    n FOR ORDINALITY,
                    v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$',
                    j JSON PATH '$'
                  )
                ) l$
              )
            )
            AND ("t3"."name" IN (?2))
        )
        AND NOT EXISTS (
          SELECT 1
          FROM "svc:1" "t6" JOIN "actor" "t5" ON "t5"."actor_id" = "t6"."actor_id"
          WHERE "t6"."film_id" = "t1"."film_id"
            AND (
              JSON_LENGTH(?3) > 0
              AND "t6"."owner" IN (
                SELECT JSON_UNQUOTE(l$.j)
                FROM JSON_TABLE(
                  ?3,
                  '$[*]' COLUMNS (
                    n FOR ORDINALITY,
                    v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$',
                    j JSON PATH '$'
                  )
                ) l$
              )
            )
            AND ("t5"."age" < CAST(?4 AS SIGNED))
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0')) ELSE TRUE
    END
  ),
  '}'
)

-- an alternative within a filter, with rules of the join table
WITH "svc:1" AS (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(CONCAT('{"title":', COALESCE(JSON_QUOTE("t1"."title"), 'null'), '}'), 'null')
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (
      SELECT *
      FROM "film" "t1"
      WHERE (
        EXISTS (
          SELECT 1
          FROM "svc:1" "t4" JOIN "actor" "t3" ON "t3"."actor_id" = "t4"."actor_id"
          WHERE "t4"."film_id" = "t1"."film_id"
            AND (
              JSON_LENGTH(?1) > 0
              AND "t4"."owner" IN (
                SELECT JSON_UNQUOTE(l$.j)
                FROM JSON_TABLE(
                  ?1,
                  '$[*]' COLUMNS (
                    n FOR ORDINALITY,
                    v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$',
                    j JSON PATH '$'
                  )
                ) l$
              )
            )
            AND (
              (
                (
                  EXISTS (
                    SELECT 1
                    FROM "follows" "t7" JOIN "actor" "t6" ON "t6"."actor_id" = "t7"."followed"
                    WHERE "t7"."follower" = "t3"."actor_id" AND ("t6"."age" > CAST(?2 AS SIGNED))
                  )
                )
                OR ("t3"."age" < CAST(?3 AS SIGNED))
              )
            )
        )
      )
      ORDER BY "t1"."film_id" ASC
      LIMIT 1001
    ) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0')) ELSE TRUE
    END
  ),
  '}'
)

-- groups, with rules of the join table
WITH "svc:1" AS (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(
            CONCAT(
              '{"actorsGroups":',
              COALESCE(
                (
                  SELECT CONCAT(
                    '[',
                    COALESCE(
                      GROUP_CONCAT(
                        COALESCE(
                          CONCAT(
                            '{"keys":',
                            COALESCE(CONCAT('{"age":', COALESCE("t3"."a1", 'null'), '}'), 'null'),
                            ',"count":',
                            COALESCE("t3"."a2", 'null'),
                            '}'
                          ),
                          'null'
                        )
                        ORDER BY ("t3"."a1" IS NULL) ASC, "t3"."a1" ASC SEPARATOR ','
                      ),
                      ''
                    ),
                    ']'
                  )
                  FROM (
                    SELECT "t5"."k1" AS "k1", MIN("t2"."age") AS "a1", count(*) AS "a2"
                    FROM (
                      SELECT DISTINCT "t4"."film_id" AS "k1", "t4"."actor_id" AS "p1"
                      FROM "svc:1" "t4"
                      WHERE (
                        JSON_LENGTH(?1) > 0
                        AND "t4"."owner" IN (
                          SELECT JSON_UNQUOTE(l$.j)
                          FROM JSON_TABLE(
                            ?1,
                            '$[*]' COLUMNS (
                              n FOR ORDINALITY,
                              v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$',
                              j JSON PATH '$'
                            )
                          ) l$
                        )
                      )
                    ) "t5"
                      JOIN "actor" "t2"
                    WHERE "t2"."actor_id" = "t5"."p1"
                    GROUP BY "t5"."k1", "t2"."age"
                  ) "t3"
                  WHERE "t3"."k1" = "t1"."film_id"
                  HAVING CASE
                    WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0'))
                    ELSE TRUE
                  END
                ),
                'null'
              ),
              '}'
            ),
            'null'
          )
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (SELECT * FROM "film" "t1" ORDER BY "t1"."film_id" ASC LIMIT 1001) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:1')) ELSE TRUE
    END
  ),
  '}'
)

-- aggregates, with rules of the join table
WITH "svc:1" AS (
  SELECT *
  FROM "cast_list"
  WHERE (
    secret = 0↵0
    )
)
SELECT CONCAT(
  '{"films":',
  (
    SELECT CONCAT(
      '[',
      COALESCE(
        GROUP_CONCAT(
          COALESCE(
            CONCAT(
              '{"actorsAggregate":',
              COALESCE(
                (
                  SELECT CONCAT('{"count":', COALESCE(count(*), 'null'), '}')
                  FROM "actor" "t2"
                  WHERE "t2"."actor_id" IN (
                    SELECT "t3"."actor_id"
                    FROM "svc:1" "t3"
                    WHERE "t3"."film_id" = "t1"."film_id"
                      AND (
                        JSON_LENGTH(?1) > 0
                        AND "t3"."owner" IN (
                          SELECT JSON_UNQUOTE(l$.j)
                          FROM JSON_TABLE(
                            ?1,
                            '$[*]' COLUMNS (
                              n FOR ORDINALITY,
                              v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$',
                              j JSON PATH '$'
                            )
                          ) l$
                        )
                      )
                  )
                    AND ("t2"."age" > CAST(?2 AS SIGNED))
                ),
                'null'
              ),
              '}'
            ),
            'null'
          )
          ORDER BY "t1"."film_id" ASC SEPARATOR ','
        ),
        ''
      ),
      ']'
    )
    FROM (SELECT * FROM "film" "t1" ORDER BY "t1"."film_id" ASC LIMIT 1001) "t1"
    HAVING CASE
      WHEN COUNT(*) > 1000 THEN EXP(COUNT(*) * 1000 + LENGTH('svc:max_rows:0')) ELSE TRUE
    END
  ),
  '}'
)
