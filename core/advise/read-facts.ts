import type { Database } from '../contract/database.ts'
import type { DatabaseModel, ModelRelation } from '../contract/database-model.ts'
import type { Row } from '../contract/statement.ts'
import { quoteName, quoteWithBackticks } from '../introspect/crud/quote-name.ts'
import { qualified } from '../introspect/qualified.ts'

/**
 * What `svc advise` reads from a database in addition to the `DatabaseModel`. All names of tables and views include
 * their schema.
 */
export interface DatabaseFacts {
  readonly kind: 'postgres' | 'sqlite' | 'mysql'
  /** Returns a name as the database quotes it in SQL. */
  readonly quote: (name: string) => string
  /** SQL query of each view, by name of the view. */
  readonly views: ReadonlyMap<string, string>
  /** The role that svc connects as. `null`: the database has no row-level security, as SQLite and MariaDB. */
  readonly role: {
    readonly name: string
    readonly superuser: boolean
    readonly bypassesRowSecurity: boolean
  } | null
  /**
   * Tables with row-level security that the role of the connection owns, directly or through membership. Their policies
   * do not apply to it.
   */
  readonly owned: ReadonlySet<string>
  /**
   * Prefix of SQL names (`''` or `schema.`) by name of an installed extension. It is empty if the schema is in the
   * search path.
   */
  readonly extensions: ReadonlyMap<string, string>
  /** `true`: the database sorts texts byte by byte (collation C), so that a plain index serves prefix searches. */
  readonly sortsBytes: boolean
  /** Estimated number of rows, by name of the table. A table without an entry was not counted. */
  readonly rows: ReadonlyMap<string, number>
}

const VIEWS = `
SELECT n.nspname, c.relname, pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'v' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`

const ROLE = `
SELECT r.rolname, r.rolsuper, r.rolbypassrls,
  (SELECT d.datcollate IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8') FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`

/** The owner is exempt, and so are members of the owner that inherit its privileges. */
const OWNED = `
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relrowsecurity AND pg_catalog.pg_has_role(c.relowner, 'USAGE')`

const EXTENSIONS = `
SELECT e.extname, n.nspname, n.nspname = ANY (pg_catalog.current_schemas(true)) FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace`

/**
 * Queries the system tables of the database for what `svc advise` needs beyond the model: view queries, role,
 * extensions, row counts.
 */
export async function readFacts(database: Database, { relations }: DatabaseModel): Promise<DatabaseFacts> {
  const query = async (text: string): Promise<readonly Row[]> =>
    (await database.query({ name: null, text, readOnly: true }, [], null)).rows
  if (database.dialect.name === 'sqlite') return readSqliteFacts(query, relations)
  if (database.dialect.name === 'mysql') return readMysqlFacts(query, relations)
  const [role] = await query(ROLE)
  const rows = relations.flatMap((one) =>
    one.estimatedRows === undefined ? [] : [[qualified(one), one.estimatedRows] as const],
  )
  return {
    kind: 'postgres',
    quote: quoteName,
    views: new Map((await query(VIEWS)).map(([schema, name, text]) => [`${schema}.${name}`, text ?? ''])),
    role:
      role === undefined ? null : { name: role[0]!, superuser: role[1] === 't', bypassesRowSecurity: role[2] === 't' },
    owned: new Set((await query(OWNED)).map(([schema, name]) => `${schema}.${name}`)),
    extensions: new Map(
      (await query(EXTENSIONS)).map(([name, schema, visible]) => [
        name!,
        visible === 't' ? '' : `${quoteName(schema!)}.`,
      ]),
    ),
    sortsBytes: role?.[3] === 't',
    rows: new Map(rows),
  }
}

async function readSqliteFacts(
  query: (text: string) => Promise<readonly Row[]>,
  relations: readonly ModelRelation[],
): Promise<DatabaseFacts> {
  const views = await query("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
  const rows = new Map<string, number>()
  for (const { kind, name } of relations) {
    if (kind !== 'table') continue
    // The largest row id is found without a scan, and is near the number of rows. Tables WITHOUT ROWID have none.
    const text = `SELECT max(_rowid_) FROM "${name.replaceAll('"', '""')}"`
    const [row] = await query(text).catch(() => [])
    if (row !== undefined) rows.set(name, Number(row[0] ?? 0))
  }
  return {
    kind: 'sqlite',
    quote: quoteName,
    views: new Map(views.map(([name, sql]) => [name!, (sql ?? '').replace(/^[\s\S]*?\bAS\b/i, '')])),
    role: null,
    owned: new Set(),
    extensions: new Map(),
    sortsBytes: false,
    rows,
  }
}

const MYSQL_VIEWS =
  'SELECT TABLE_NAME, VIEW_DEFINITION, TABLE_SCHEMA FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()'

async function readMysqlFacts(
  query: (text: string) => Promise<readonly Row[]>,
  relations: readonly ModelRelation[],
): Promise<DatabaseFacts> {
  const views = await query(MYSQL_VIEWS)
  return {
    kind: 'mysql',
    quote: quoteWithBackticks,
    // The server writes the name of the database before each table.
    views: new Map(
      views.map(([name, text, schema]) => [name!, (text ?? '').replaceAll(`${quoteWithBackticks(schema!)}.`, '')]),
    ),
    role: null,
    owned: new Set(),
    extensions: new Map(),
    sortsBytes: false,
    rows: new Map(relations.flatMap(({ name, estimatedRows: rows }) => (rows === undefined ? [] : [[name, rows]]))),
  }
}
