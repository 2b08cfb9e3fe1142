SELECT ('{"shelfDocs":'
|| array_to_json(ARRAY(SELECT r$
FROM (SELECT "t1"."id" AS "id", ("t1"."data" -> 'size') AS "size", ("t1"."data" ->> 'price') AS "price", ("t1"."data" ->> 'created_at')::timestamptz AS "createdAt", CASE ("t1"."data" ->> 'kind') WHEN 'k1' THEN 'FIRST' WHEN 'k2' THEN 'SECOND' ELSE '?'
|| ("t1"."data" ->> 'kind') END AS "kind", (SELECT r$
FROM (SELECT (("t1"."data" -> 'keeper') -> 'name') AS "name"
WHERE jsonb_typeof(("t1"."data" -> 'keeper')) = 'object') r$) AS "keeper", CASE WHEN jsonb_typeof(("t1"."data" -> 'labels')) = 'array' THEN (SELECT coalesce(array_agg(l.v), '{}')
FROM (SELECT (SELECT r$
FROM (SELECT ("t2".v -> 'text') AS "text"
WHERE jsonb_typeof("t2".v) = 'object') r$) AS v
FROM jsonb_array_elements(CASE WHEN jsonb_typeof(("t1"."data" -> 'labels')) = 'array' THEN ("t1"."data" -> 'labels') END) WITH ORDINALITY "t2"(v, n)
ORDER BY "t2".n
LIMIT 1001) l
HAVING CASE WHEN count(*) > 1000 THEN CAST('svc:max_rows:0:'
|| count(*) AS int4) = 0 ELSE TRUE END) END AS "labels"
FROM (SELECT *
FROM "v_shelf_doc" "t1"
WHERE (coalesce(jsonb_typeof(("t1"."data" -> 'keeper')) = 'object' AND ((("t1"."data" -> 'keeper') ->> 'age')::int4 > $1::int4), FALSE) AND NOT EXISTS (SELECT
FROM jsonb_array_elements(CASE WHEN jsonb_typeof(("t1"."data" -> 'labels')) = 'array' THEN ("t1"."data" -> 'labels') END) "t4"(value)
WHERE jsonb_typeof("t4"."value") = 'object' AND (("t4"."value" ->> 'rank')::int4 >= $2::int4) IS NOT TRUE))
ORDER BY "t1"."pk_shelf" ASC
LIMIT 1) "t1") r$))::text
|| '}')
-- packed

