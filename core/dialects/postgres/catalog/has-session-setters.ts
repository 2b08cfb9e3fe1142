import type { CatalogReader } from './catalog-reader.ts'

/** Matches strings, quoted names and comments. Words in them have no effect, unless a statement of `SETS` executes them. */
const QUOTED = `'([^']|'')*'|"([^"]|"")*"|--[^\\n]*|/\\*([^*]|\\*(?!/))*\\*/`
/** Matches quotes that the expression above would parse differently from the server, and `pg_settings`, whose UPDATE changes settings. */
const UNREAD = `\\\\'|\\$\\w*\\$|\\mpg_settings\\M`
/** Matches `SET` of an UPDATE, `SET LOCAL`, and `set_config` for the transaction only. Quoted texts were replaced by `''` before. */
const HARMLESS =
  `\\mupdate\\s+((only\\s+)?(?!(then|loop)\\M)(''|[\\w$.])+(\\s*\\*)?(\\s+(as\\s+)?(''|[\\w$]+))?\\s+)?set\\M|\\mset\\s+local\\M` +
  `|\\mset_config\\s*\\(\\s*(''|[\\w$.:])+\\s*,\\s*(''|[\\w$.:])+\\s*,\\s*true\\s*\\)|\\mset_(bit|byte|masklen)\\M`
/** Matches SET, RESET, DISCARD, dynamic SQL, new functions, and functions whose names suggest that they change settings. */
const SETS =
  `\\m(set|reset|discard|execute)\\M|\\m(re)?set_\\w+\\s*\\(` +
  `|\\mdo\\s+(language\\s+\\S+\\s+)?''|\\m(query_to_xml\\w*|ts_stat|ts_rewrite)\\M|\\mcreate\\s+(or\\s+replace\\s+)?(function|procedure)\\M`

/**
 * Tests whether a call may change settings of its session. It may if a function in SQL or PL/pgSQL contains such a statement, or a
 * function is in another language (of extensions only trigger functions count). It also may if a view, rule, default, check, policy or
 * trigger calls `set_config`, or the default of a domain or parameter does: their expression trees contain the OID of that function. In
 * doubt the answer is yes.
 */
const SQL = `
WITH code AS (
  SELECT l.lanname IN ('sql', 'plpgsql') AS readable,
    CASE WHEN f.prosrc <> '' OR f.prokind NOT IN ('f', 'p') THEN f.prosrc ELSE pg_catalog.pg_get_functiondef(f.oid) END AS body
  FROM pg_catalog.pg_proc f
  JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
  JOIN pg_catalog.pg_language l ON l.oid = f.prolang
  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND f.prokind <> 'a'
    AND (NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e')
      OR EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgfoid = f.oid AND NOT g.tgisinternal))
), trees AS (
  SELECT ev_action::text AS tree FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
  UNION ALL SELECT adbin::text FROM pg_catalog.pg_attrdef
  UNION ALL SELECT conbin::text FROM pg_catalog.pg_constraint WHERE conbin IS NOT NULL
  UNION ALL SELECT concat(polqual::text, polwithcheck::text) FROM pg_catalog.pg_policy
  UNION ALL SELECT tgqual::text FROM pg_catalog.pg_trigger WHERE tgqual IS NOT NULL
  UNION ALL SELECT typdefaultbin::text FROM pg_catalog.pg_type WHERE typdefaultbin IS NOT NULL
  UNION ALL SELECT proargdefaults::text FROM pg_catalog.pg_proc WHERE proargdefaults IS NOT NULL
)
SELECT (EXISTS (SELECT FROM code WHERE NOT readable OR body ~* $1
    OR regexp_replace(regexp_replace(body, $2, '''''', 'g'), $3, ' ', 'gi') ~* $4)
  OR EXISTS (SELECT FROM trees WHERE tree LIKE
    '%:funcid ' || 'pg_catalog.set_config(text,text,boolean)'::regprocedure::oid || ' %'))::text`

/**
 * Tests whether a function, trigger, view, policy or default in the database may change settings of the session that
 * runs a statement. If so, drivers reset the session after statements that may have done so. Unreadable code counts as
 * `true`. One round trip.
 */
export async function hasSessionSetters(reader: Pick<CatalogReader, 'query'>): Promise<boolean> {
  const rows = await reader.query(SQL, [UNREAD, QUOTED, HARMLESS, SETS])
  return rows[0]?.[0] !== 'false'
}
