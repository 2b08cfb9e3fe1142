-- no changes are reported
SELECT FROM "fn_void"("p_title" => $1::text)

-- changes are reported
SELECT FROM "fn_void"("p_title" => $1::text)
