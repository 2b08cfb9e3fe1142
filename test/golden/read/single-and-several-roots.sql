SELECT ('{"one":'
|| coalesce((SELECT to_json(r$)::text
FROM (SELECT "t1"."title" AS "title", (SELECT r$
FROM (SELECT "t2"."label" AS "label"
FROM "v_shelf" "t2"
WHERE "t2"."pk_shelf" = "t1"."fk_shelf") r$) AS "shelf"
FROM "v_book" "t1"
WHERE "t1"."id" = $1::uuid
LIMIT 1) r$), 'null')
|| ',"__typename":'
|| $2::text
|| ',"shelf":'
|| coalesce((SELECT to_json(r$)::text
FROM (SELECT "t3"."note" AS "note"
FROM "v_shelf" "t3"
WHERE "t3"."id" = $3::uuid
LIMIT 1) r$), 'null')
|| '}')
