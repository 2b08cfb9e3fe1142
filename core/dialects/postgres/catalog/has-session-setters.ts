import type { CatalogReader } from './catalog-reader.ts'

/** Strings, quoted names and comments. Their words run nothing, unless a statement of `SETS` runs them. */
const QUOTED = `'([^']|'')*'|"([^"]|"")*"|--[^\\n]*|/\\*([^*]|\\*(?!/))*\\*/`
/** Quotes that the expression above would read in another way than the server does, and the view that is updated to set something. */
const UNREAD = `\\\\'|\\$\\w*\\$|\\mpg_settings\\M`
/** The `SET` of an UPDATE, `SET LOCAL`, and `set_config` until the transaction ends. Quoted texts are `''` by then. */
const HARMLESS =
  `\\mupdate\\s+((only\\s+)?(?!(then|loop)\\M)(''|[\\w$.])+(\\s*\\*)?(\\s+(as\\s+)?(''|[\\w$]+))?\\s+)?set\\M|\\mset\\s+local\\M` +
  `|\\mset_config\\s*\\(\\s*(''|[\\w$.:])+\\s*,\\s*(''|[\\w$.:])+\\s*,\\s*true\\s*\\)|\\mset_(bit|byte|masklen)\\M`
/** SET, RESET, DISCARD, SQL from a text, new functions, and functions whose name says that they set something. */
const SETS =
  `\\m(set|reset|discard|execute)\\M|\\m(re)?set_\\w+\\s*\\(` +
  `|\\mdo\\s+(language\\s+\\S+\\s+)?''|\\m(query_to_xml\\w*|ts_stat|ts_rewrite)\\M|\\mcreate\\s+(or\\s+replace\\s+)?(function|procedure)\\M`

/**
 * May a call leave a setting behind for its session? True for a function in SQL or PL/pgSQL whose body may set one, and for any in another
 * language; of extensions those count that run as triggers. Views, rules, defaults, checks, policies and triggers count that call
 * `set_config`, and so do defaults of domains and parameters: their trees have its number. Code that could set something counts.
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
 * Is there code in the database that may set something for the session of its caller, so that the session has to be reset behind a
 * call? One round trip.
 */
export async function hasSessionSetters(reader: Pick<CatalogReader, 'query'>): Promise<boolean> {
  const rows = await reader.query(SQL, [UNREAD, QUOTED, HARMLESS, SETS])
  return rows[0]?.[0] !== 'false'
}
