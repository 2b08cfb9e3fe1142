/** Words that PostgreSQL or SQLite does not accept everywhere as a name without quotes. */
const WORDS: ReadonlySet<string> = new Set(
  `abort action add after all alter always analyse analyze and any array as asc asymmetric attach authorization autoincrement
  before begin between bigint binary bit boolean both by cascade case cast char character check coalesce collate collation column
  commit concurrently conflict constraint create cross current current_catalog current_date current_role current_schema current_time
  current_timestamp current_user database dec decimal default deferrable deferred delete desc detach distinct do drop each else end
  escape except exclude exclusive exists explain extract fail false fetch filter first float following for foreign freeze from full
  generated glob grant greatest group grouping groups having if ignore ilike immediate in index indexed initially inner inout insert
  instead int integer intersect interval into is isnull join json key last lateral leading least left like limit localtime
  localtimestamp match materialized national natural nchar no none normalize not nothing notnull null nullif nulls numeric of offset
  on only or order others out outer over overlaps overlay partition placing plan position pragma preceding precision primary query
  raise range real recursive references regexp reindex release rename replace restrict returning right rollback row rows savepoint
  select session_user set setof similar smallint some substring symmetric system_user table tablesample temp temporary then ties time
  timestamp to trailing transaction treat trigger trim true unbounded union unique update user using vacuum values varchar variadic
  verbose view virtual when where window with without xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse
  xmlpi xmlroot xmlserialize xmltable`.split(/\s+/),
)

/** Returns a name for use in a SQL script that people read: in double quotes only where SQL requires them. */
export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !WORDS.has(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** Returns a text as a SQL string literal in single quotes. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Returns a name for SQL of MariaDB and MySQL, in backticks, which every `sql_mode` understands. */
export function quoteWithBackticks(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
