-- returns the response as text
SELECT (
  '{"books":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t1"."id" AS "id",
          "t1"."title" AS "title",
          "t1"."sold"::text AS "sold",
          "t1"."sold_at"::timestamptz AS "soldAt",
          CASE
            "t1"."genre" WHEN 'sf' THEN 'SF' WHEN 'crime' THEN 'CRIME' ELSE '?' || "t1"."genre"
          END AS "genre",
          "t1"."tags" AS "tags"
        FROM "v_book" "t1"
        ORDER BY "t1"."added_at" DESC, "t1"."pk_book" DESC
        LIMIT 2
        OFFSET 1
      ) r$
    )
  )::text
  || '}'
)
