-- Names and comments that end the strings, comments and templates of generated code, tables that cannot be read, and cyclic views.
CREATE TABLE "back`tick" (id int PRIMARY KEY, "a`b" text);
CREATE TABLE "com*/ment" (id int PRIMARY KEY, "x*/y" text);
CREATE TABLE "${process.exit(7)}" (id int PRIMARY KEY, "${1+1}" text);

CREATE TABLE "new
line" (id int PRIMARY KEY, "col
umn" text, "tab	x" text);
CREATE TABLE "quo""te'" (id int PRIMARY KEY, "it's" text, "say ""hi""" text);
CREATE TABLE "back\slash\" (id int PRIMARY KEY, "c\" text, "\u0041" text);
CREATE TABLE "😀" (id int PRIMARY KEY, "😀" text, "🇦🇹" text);
CREATE TABLE "class" (id int PRIMARY KEY, "constructor" text, "__proto__" text, "prototype" text, "toString" text, "hasOwnProperty" text, "function" text, "await" text, "None" text, "self" text, "def" text);
CREATE TABLE "Query" (id int PRIMARY KEY, "__typename" text);
CREATE TABLE "Promise" (id int PRIMARY KEY, "then" text);
CREATE TABLE "Object" (id int PRIMARY KEY, "null" text, "true" text, "undefined" text);
CREATE TABLE "Array" (id int PRIMARY KEY);
CREATE TABLE "Record" (id int PRIMARY KEY);
CREATE TABLE "list" (id int PRIMARY KEY);
CREATE TABLE "nullable" (id int PRIMARY KEY);
CREATE TABLE "field" (id int PRIMARY KEY);
CREATE TABLE "type" (id int PRIMARY KEY);
CREATE TABLE "__proto__" (id int PRIMARY KEY);
CREATE TABLE "eval" (id int PRIMARY KEY, "arguments" text);
CREATE TABLE item (id int PRIMARY KEY);
CREATE TABLE items (id int PRIMARY KEY, item_id int REFERENCES item, "itemId" int, "item-id" int, "ITEM_ID" int, item int);
CREATE TABLE "Items" (id int PRIMARY KEY);
CREATE TABLE "ITEM" (id int PRIMARY KEY);
CREATE TABLE "i-t-e-m" (id int PRIMARY KEY);
CREATE TABLE no_columns ();
CREATE TABLE person (id int PRIMARY KEY); CREATE TABLE people (id int PRIMARY KEY); CREATE TABLE persons (id int PRIMARY KEY);
CREATE TYPE "mood'*/`${x}" AS ENUM ('a''b', 'c*/d', '`${1}`', '', E'new\nline', '😀', 'true', 'null', 'a b', 'a_b', 'A B', '__x', '1', 'constructor', '__proto__', E'back\\slash');
CREATE TABLE moods (id int PRIMARY KEY, m "mood'*/`${x}");
COMMENT ON COLUMN moods.m IS E'*/ process.exit(9); /* `${process.exit(9)}` \''' "quote" \\ """ # \u2028 \u0085 \n@deprecated\r\n<script>alert(1)</script>';
COMMENT ON TABLE moods IS E'"""\n} type Evil { id: ID }\n"""';
COMMENT ON TABLE item IS E'\\';
COMMENT ON TABLE items IS '"""';
COMMENT ON TABLE person IS E'ends with a quote"';
DO $$ BEGIN EXECUTE format('COMMENT ON TABLE people IS %L', repeat('long */ `${x}` ', 700000)); END $$;
CREATE VIEW cyc_a AS SELECT 1 AS id; CREATE VIEW cyc_b AS SELECT id FROM cyc_a; CREATE OR REPLACE VIEW cyc_a AS SELECT id FROM cyc_b;
CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER dead FOREIGN DATA WRAPPER nothing;
CREATE FOREIGN TABLE far_away (id int, name text) SERVER dead;
CREATE TABLE fails_on_read (id int PRIMARY KEY);
CREATE VIEW fails AS SELECT 1 / (id - id) AS x FROM fails_on_read;
CREATE SCHEMA "sch'em`a*/${1}"; CREATE TABLE "sch'em`a*/${1}".t (id int PRIMARY KEY, "mo""re" int REFERENCES item);
CREATE SCHEMA "../../evil"; CREATE TABLE "../../evil"."../x" (id int PRIMARY KEY);
CREATE FUNCTION "fn_*/`${x}'"("a'*/" int) RETURNS item LANGUAGE sql AS 'UPDATE item SET id = $1 RETURNING *';
