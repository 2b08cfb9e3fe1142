-- returns the response as text
SELECT (
  '{"things":'
  || array_to_json(
    ARRAY(
      SELECT r$.json
      FROM (
        SELECT CASE
          "t1"."__typename"::text
          WHEN 'ThingBook' THEN
            (
              SELECT to_json(r$)
              FROM (
                SELECT 'ThingBook'::text AS "__typename",
                  "t1"."name" AS "name",
                  "t1"."pages" AS "pages"
              ) r$
            )
          WHEN 'ThingShelf' THEN
            (
              SELECT to_json(r$)
              FROM (
                SELECT 'ThingShelf'::text AS "__typename",
                  "t1"."name" AS "name",
                  "t1"."label" AS "label"
              ) r$
            )
          ELSE to_json('?type ' || coalesce("t1"."__typename"::text, ''))
        END AS json
        FROM "v_thing" "t1"
        ORDER BY "t1"."name" DESC, "t1"."pk_thing" DESC
        LIMIT 2
      ) r$
    )
  )::text
  || '}'
)
