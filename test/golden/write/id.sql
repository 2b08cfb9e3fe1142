-- no changes are reported
BEGIN
;
SELECT to_json("svc_value")::text FROM "fn_uuid"("p_title" => $1::text) AS "svc_call"("svc_value")
;
SELECT (
  SELECT to_json(r$)::text
  FROM (SELECT "t1"."title" AS "title" FROM "v_post" "t1" WHERE "t1"."id" = ANY($1::uuid[]) LIMIT 1) r$
)

-- changes are reported
BEGIN
;
SELECT to_json("svc_value")::text FROM "fn_uuid"("p_title" => $1::text) AS "svc_call"("svc_value")
;
SELECT (
  SELECT to_json(r$)::text
  FROM (SELECT "t1"."title" AS "title" FROM "v_post" "t1" WHERE "t1"."id" = ANY($1::uuid[]) LIMIT 1) r$
)
