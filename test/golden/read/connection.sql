-- returns the response as text
SELECT (
  '{"bookPages":'
  || (
    SELECT (
      '{"edges":'
      || array_to_json(
        coalesce(
          array_agg(
            (
              SELECT r$
              FROM (
                SELECT encode(convert_to("t1"."pk_book"::text, 'UTF8'), 'base64') AS "cursor",
                  (SELECT r$ FROM (SELECT "t1"."title" AS "title") r$) AS "node"
              ) r$
            )
            ORDER BY "svc:n" ASC
          ) FILTER (WHERE "svc:n" <= 2),
          '{}'
        )
      )::text
      || ',"pageInfo":'
      || (
        '{"hasNextPage":'
        || (count(*) > 2)::text
        || ',"endCursor":'
        || coalesce(
          '"'
            || encode(
              convert_to(
                (array_agg("t1"."pk_book" ORDER BY "svc:n" ASC) FILTER (WHERE "svc:n" <= 2))[
                  (count(*) FILTER (WHERE "svc:n" <= 2))::int4
                ]::text,
                'UTF8'
              ),
              'base64'
            )
            || '"',
          'null'
        )
        || '}'
      )
      || ',"totalCount":'
      || (SELECT count(*)::text FROM "v_book" "t2")
      || '}'
    )
    FROM (
      SELECT *, row_number() OVER (ORDER BY "t1"."pk_book" ASC) AS "svc:n"
      FROM (
        SELECT *
        FROM "v_book" "t1"
        WHERE "t1"."pk_book" > $1::int8
        ORDER BY "t1"."pk_book" ASC
        LIMIT 3
      ) "t1"
      OFFSET 0
    ) "t1"
  )
  || '}'
)

-- returns rows, which the server writes as JSON
SELECT "t2"."n", "t2"."f", 2, (SELECT count(*)::text FROM "v_book" "t3")
FROM (
  SELECT count(*) AS "n", string_agg(concat_ws(E'\x01', p$."c1", p$."c2"), E'\x01') AS "f"
  FROM (
    SELECT "t1"."pk_book" AS "c1", "t1"."title" AS "c2"
    FROM "v_book" "t1"
    WHERE "t1"."pk_book" > $1::int8
    ORDER BY "t1"."pk_book" ASC
    LIMIT 3
  ) p$
) "t2"
