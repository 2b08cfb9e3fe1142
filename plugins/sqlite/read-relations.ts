import { type ProvenRelation, type ProvenRows, proveViews } from '../../core/doors/driver.ts'
import { type Token, tokensOf } from './child/tokens.ts'
import type { ChildConnection } from './child-connection.ts'
import { canonicalType, UNKNOWN_TYPE } from './dialect/declared-type.ts'

/**
 * The head of a CREATE VIEW statement. A view with a column list does not match, and nothing is proven for it. Calls in the selection
 * need no check: SQLite accepts table-valued functions, such as `json_each`, only in FROM, so other calls add no rows.
 */
const HEAD =
  /^\s*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:"(?:[^"]|"")*"|\[[^\]]*\]|`[^`]*`|[\p{L}\p{N}_$.]+)\s+AS\s+/iu

/** Functions whose result is JSON for any arguments. */
const MAKERS = /^json(?:_(?:object|array|group_object|group_array|patch|set|insert|replace|remove))?$/i
const COMPOUND = /^(?:UNION|INTERSECT|EXCEPT)$/i
/**
 * `hidden = 1`: columns of virtual tables that `SELECT *` leaves out. The key is the row id only if no index serves it: not in a table
 * WITHOUT ROWID, nor with `INTEGER PRIMARY KEY DESC`.
 */
const COLUMNS = `
SELECT m.name, m.type, iif(m.type = 'view', m.sql, NULL), c.name, c.type, c."notnull", c.pk,
  m.type = 'table' AND c.pk = 1 AND upper(c.type) = 'INTEGER'
    AND (SELECT max(k.pk) FROM pragma_table_xinfo(m.name) k) = 1
    AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) i WHERE i.origin = 'pk'),
  m.type = 'table' AND (
    (c.pk = 1 AND (SELECT max(k.pk) FROM pragma_table_xinfo(m.name) k) = 1)
    OR EXISTS (SELECT 1 FROM pragma_index_list(m.name) i WHERE i."unique" AND NOT i.partial
      AND (SELECT count(*) FROM pragma_index_info(i.name)) = 1
      AND (SELECT x.name FROM pragma_index_info(i.name) x) = c.name)),
  c.dflt_value IS NOT NULL, c.hidden IN (2, 3), c.dflt_value
FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
WHERE m.type IN ('table', 'view') AND c.hidden <> 1 AND (?1 = '' OR m.type = ?1) AND (?2 = '' OR m.name = ?2)
ORDER BY m.name, c.cid`

/** Keys of several columns, in the order of the index. JSON, because names may contain a comma. */
const COMPOSITE_KEYS = `
SELECT m.name, (SELECT json_group_array(x.name) FROM pragma_index_info(i.name) x)
FROM sqlite_schema m JOIN pragma_index_list(m.name) i
WHERE m.type = 'table' AND i."unique" AND NOT i.partial
  AND (SELECT count(*) FROM pragma_index_info(i.name)) > 1
  AND NOT EXISTS (SELECT 1 FROM pragma_index_info(i.name) x WHERE x.name IS NULL)
ORDER BY m.name, i.seq`

/** Runs a query on SQLite's catalog and returns its rows. */
export async function rowsOf(connection: ChildConnection, text: string, parameters: readonly string[]) {
  const once = { name: null, readOnly: true, begin: null, settings: [], maxBytes: 0 } as const
  return (await connection.request({ op: 'run', text, parameters, ...once })).rows
}

/** All tables and views of a SQLite file, and the views that cannot be read. */
export interface ReadRelations {
  /** Tables and views by lower-case name. */
  readonly relations: ReadonlyMap<string, Relation>
  readonly proven: (relation: Relation) => ProvenRows
  /** Errors of views that cannot be read, by lower-case name, for example because a table does not exist. */
  readonly broken: ReadonlyMap<string, { readonly name: string; readonly error: unknown }>
}

/** Reads all tables and views of a SQLite file. Facts about a view are derived from its tables, so all are needed. */
export async function readRelations(connection: ChildConnection): Promise<ReadRelations> {
  const relations = new Map<string, Relation>()
  const { rows, broken } = await readColumns(connection)
  for (const row of rows) {
    const [name, kind, sql, column, type, notNull, key, isRowId, isUnique, hasDefault, isGenerated, fallback] =
      row as readonly string[]
    const relation = relations.get(name!.toLowerCase()) ?? {
      name: name!,
      kind,
      sql,
      query: queryOf(sql),
      columns: [],
      declared: [],
      keys: [],
      compositeKeys: [],
    }
    relations.set(name!.toLowerCase(), relation)
    relation.columns.push({
      name: column!,
      type: canonicalType(type!),
      notNull: notNull === '1' || isRowId === '1',
      unique: isUnique === '1',
    })
    relation.declared.push({
      type: type ?? '',
      hasDefault: hasDefault === '1' || isGenerated === '1' || isRowId === '1' || notNull !== '1',
      isGenerated: isGenerated === '1',
      isRowId: isRowId === '1',
      default: fallback ?? null,
    })
    if (key !== '0') relation.keys[Number(key) - 1] = column!
  }
  for (const [name, columns] of await rowsOf(connection, COMPOSITE_KEYS, [])) {
    relations.get(name!.toLowerCase())?.compositeKeys.push(JSON.parse(columns!) as string[])
  }
  for (const relation of relations.values()) nameJson(relation)
  return { relations, proven: proveViews(relations), broken }
}

/** Reads the columns of all relations. A view that cannot be read fails the statement, so that each view then needs its own. */
async function readColumns(connection: ChildConnection) {
  const broken = new Map<string, { readonly name: string; readonly error: unknown }>()
  try {
    return { rows: await rowsOf(connection, COLUMNS, ['', '']), broken }
  } catch {
    const rows = [...(await rowsOf(connection, COLUMNS, ['table', '']))]
    for (const [name] of await rowsOf(connection, "SELECT name FROM sqlite_schema WHERE type = 'view'", [])) {
      try {
        rows.push(...(await rowsOf(connection, COLUMNS, ['view', name!])))
      } catch (error) {
        broken.set(name!.toLowerCase(), { name: name!, error })
      }
    }
    return { rows, broken }
  }
}

/** A column as the file declares it. */
interface DeclaredColumn {
  readonly type: string
  readonly hasDefault: boolean
  readonly isGenerated: boolean
  /** The `INTEGER PRIMARY KEY`, which SQLite numbers. */
  readonly isRowId: boolean
  /** SQL expression; `null`: no default. */
  readonly default: string | null
}

/** A table or view as the SQL of a SQLite file declares it. */
export interface Relation extends ProvenRelation {
  readonly kind: string | undefined
  /** Text of the statement `CREATE VIEW …`; absent for a table. */
  readonly sql: string | null | undefined
  readonly columns: ProvenRelation['columns'][number][]
  /** Further facts about the columns, in the order of `columns`. */
  readonly declared: DeclaredColumn[]
  readonly keys: string[]
  readonly compositeKeys: (readonly string[])[]
}

function queryOf(sql: string | null | undefined): string | null {
  const head = HEAD.exec(sql ?? '')
  return head === null ? null : sql!.slice(head[0].length)
}

/** Marks columns of a view whose expressions yield JSON, because expressions have no declared type. */
function nameJson({ sql, columns }: Relation): void {
  if (sql === null || sql === undefined) return
  for (const [index, isJson] of jsonExpressions(sql).entries()) {
    const column = columns[index]
    if (isJson && column?.type === UNKNOWN_TYPE) columns[index] = { ...column, type: 'json' }
  }
}

/**
 * Finds the columns of a view whose expression returns JSON, because SQLite gives columns of views no type.
 * @param sql statement `CREATE VIEW …`
 * @returns a flag per column; empty if their positions are unknown (compound queries, `*`)
 */
export function jsonExpressions(sql: string): readonly boolean[] {
  const tokens = tokensOf(sql).filter(({ kind }) => kind !== 'comment')
  const depths = depthsOf(tokens)
  const isWord = (index: number, word: RegExp): boolean =>
    depths[index] === 0 && tokens[index]!.kind === 'word' && word.test(tokens[index]!.text)
  const select = tokens.findIndex((_, index) => isWord(index, /^SELECT$/i))
  if (select < 0 || tokens.some((_, index) => isWord(index, COMPOUND))) return []
  const from = tokens.findIndex((_, index) => index > select && isWord(index, /^FROM$/i))
  const end = from < 0 ? tokens.length : from
  const starts = [select + 1]
  for (let index = select + 1; index < end; index++) {
    if (depths[index] === 0 && tokens[index]!.text === ',') starts.push(index + 1)
  }
  const parts = starts.map((start, i) => tokens.slice(start, starts[i + 1] === undefined ? end : starts[i + 1]! - 1))
  // A star stands for as many columns as its relation has.
  return parts.some((part) => part.at(-1)?.text === '*') ? [] : parts.map(isJson)
}

/** Is it a call of a JSON function such as `json_object(…)`, with or without an alias? */
function isJson(part: readonly Token[]): boolean {
  const [name, open] = part
  if (name?.kind !== 'word' || !MAKERS.test(name.text) || open?.text !== '(') return false
  const close = depthsOf(part).findIndex((depth, index) => index > 1 && depth === 0)
  const [as, ...rest] = part.slice(close + 1)
  if (close < 0 || as === undefined) return close >= 0
  return /^AS$/i.test(as.text) ? rest.length === 1 : rest.length === 0 && (as.kind === 'word' || as.kind === 'quoted')
}

/** The number of parentheses around each token. A parenthesis itself has the depth outside it. */
function depthsOf(tokens: readonly Token[]): readonly number[] {
  let depth = 0
  return tokens.map(({ kind, text }) => {
    if (kind === 'other' && text === ')') depth--
    const own = depth
    if (kind === 'other' && text === '(') depth++
    return own
  })
}
