-- returns the response as text
SELECT (
  '{"shelfDocs":'
  || array_to_json(
    ARRAY(
      SELECT r$
      FROM (
        SELECT "t1"."id" AS "id",
          ("t1"."data" -> 'size') AS "size",
          ("t1"."data" ->> 'price') AS "price",
          CASE
            WHEN ("t1"."data" ->> 'created_at') ~  E'^(?:-?infinity|(?!0000)(?:(?:(?:\\d{4}|[1-9]\\d{4}|1\\d{5}|2[0-8]\\d{4}|29[0-3]\\d{3}|294[01]\\d\\d|2942[0-6]\\d|29427[0-5])-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:[1-9]|1\\d|2[0-8]|29(?=[0-3]|4[01]|42[0-6]|427[0-5]))?(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)(?:[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:[Zz]|[+-](?:0\\d|1[0-4])(?::?[0-5]\\d){0,2})?)?|(?:(?:[0-3]\\d{3}|4[0-6]\\d\\d|470\\d|471[0-3])-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?=(?:[0-3]\\d{3}|4[0-6]\\d\\d|470\\d|471[0-3]))(?:\\d\\d(?:0[59]|[2468][159]|[13579][37])|(?:[02468][048]|[13579][26])01)-02-29)(?:[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:[Zz]|[+-](?:0\\d|1[0-4])(?::?[0-5]\\d){0,2})?)? BC|294276-(?:(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|02-29)[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,6})?)?(?:[Zz]|[+-]00(?::?00)?)|4714-(?:11-(?:2[4-9]|30)|12-(?:0[1-9]|[12]\\d|3[01]))[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,6})?)?(?:[Zz]|[+-]00(?::?00)?) BC))$' THEN
              to_json(("t1"."data" ->> 'created_at')::timestamptz) #>> '{}'
            ELSE '?' || ("t1"."data" ->> 'created_at')
          END AS "createdAt",
          CASE
            ("t1"."data" ->> 'kind')
            WHEN 'k1' THEN 'FIRST'
            WHEN 'k2' THEN 'SECOND'
            ELSE '?' || ("t1"."data" ->> 'kind')
          END AS "kind",
          CASE
            WHEN jsonb_typeof(("t1"."data" -> 'keeper')) = 'object' THEN
              to_json((SELECT r$ FROM (SELECT (("t1"."data" -> 'keeper') -> 'name') AS "name") r$))
            ELSE to_json(("t1"."data" -> 'keeper'))
          END AS "keeper",
          CASE
            WHEN jsonb_typeof(("t1"."data" -> 'labels')) = 'array' THEN
              to_json(
                (
                  SELECT coalesce(array_agg(l.v), '{}')
                  FROM (
                    SELECT CASE
                      WHEN jsonb_typeof("t2".v) = 'object' THEN
                        to_json((SELECT r$ FROM (SELECT ("t2".v -> 'text') AS "text") r$))
                      ELSE to_json("t2".v)
                    END AS v
                    FROM jsonb_array_elements(
                      CASE
                        WHEN jsonb_typeof(("t1"."data" -> 'labels')) = 'array' THEN
                          ("t1"."data" -> 'labels')
                      END
                    ) WITH ORDINALITY "t2"(v, n)
                    ORDER BY "t2".n
                    LIMIT 1001
                  ) l
                  HAVING CASE
                    WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:' || count(*) AS int4) = 0
                    ELSE TRUE
                  END
                )
              )
            ELSE to_json(("t1"."data" -> 'labels'))
          END AS "labels"
        FROM (
          SELECT *
          FROM "v_shelf_doc" "t1"
          WHERE (
            coalesce(
              jsonb_typeof(("t1"."data" -> 'keeper')) = 'object'
                AND (
                  (
                    jsonb_path_query_first(
                      (("t1"."data" -> 'keeper') -> 'age'),
                      'strict $ ? (@.type() == "number" && @ >= -2147483648 && @ <= 2147483647 && @.floor() == @)',
                      '{}',
                      true
                    ) #>> '{}'
                  )::int4 > $1::int4
                ),
              FALSE
            )
            AND NOT EXISTS (
              SELECT FROM jsonb_array_elements(
                CASE
                  WHEN jsonb_typeof(("t1"."data" -> 'labels')) = 'array' THEN
                    ("t1"."data" -> 'labels')
                END
              ) "t4"(value)
              WHERE jsonb_typeof("t4"."value") = 'object'
                AND (
                  (
                    jsonb_path_query_first(
                      ("t4"."value" -> 'rank'),
                      'strict $ ? (@.type() == "number" && @ >= -2147483648 && @ <= 2147483647 && @.floor() == @)',
                      '{}',
                      true
                    ) #>> '{}'
                  )::int4 >= $2::int4
                ) IS NOT TRUE
            )
          )
          ORDER BY "t1"."pk_shelf" ASC
          LIMIT 1
        ) "t1"
      ) r$
    )
  )::text
  || '}'
)
