SELECT FROM "fn_void"("p_title" => $1::text)
