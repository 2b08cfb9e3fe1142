import { readdir } from 'node:fs/promises'
import type { Catalog, CatalogFunction, CatalogNames, CatalogRelation } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type { ScriptDescription } from './child/protocol.ts'
import { type Token, tokensOf } from './child/tokens.ts'
import type { ChildConnection } from './child-connection.ts'
import { canonicalType, UNKNOWN_TYPE } from './dialect/declared-type.ts'
import { type ProvenRelation, proveViews } from './prove-views.ts'

/** Functions whose result is JSON for any arguments. */
const MAKERS = /^json(?:_(?:object|array|group_object|group_array|patch|set|insert|replace|remove))?$/i
const COMPOUND = /^(?:UNION|INTERSECT|EXCEPT)$/i
/** `hidden = 1`: columns of virtual tables that `SELECT *` leaves out. */
const COLUMNS = `
SELECT m.name, m.type, iif(m.type = 'view', m.sql, NULL), c.name, c.type, c."notnull", c.pk,
  m.type = 'table' AND c.pk = 1 AND upper(c.type) = 'INTEGER'
    AND (SELECT max(k.pk) FROM pragma_table_xinfo(m.name) k) = 1,
  m.type = 'table' AND (
    (c.pk = 1 AND (SELECT max(k.pk) FROM pragma_table_xinfo(m.name) k) = 1)
    OR EXISTS (SELECT 1 FROM pragma_index_list(m.name) i WHERE i."unique" AND NOT i.partial
      AND (SELECT count(*) FROM pragma_index_info(i.name)) = 1
      AND (SELECT x.name FROM pragma_index_info(i.name) x) = c.name))
FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
WHERE m.type IN ('table', 'view') AND c.hidden <> 1
ORDER BY m.name, c.cid`

/** Keys of several columns, in the order of the index. JSON, because names may contain a comma. */
const COMPOSITE_KEYS = `
SELECT m.name, (SELECT json_group_array(x.name) FROM pragma_index_info(i.name) x)
FROM sqlite_schema m JOIN pragma_index_list(m.name) i
WHERE m.type = 'table' AND i."unique" AND NOT i.partial
  AND (SELECT count(*) FROM pragma_index_info(i.name)) > 1
  AND NOT EXISTS (SELECT 1 FROM pragma_index_info(i.name) x WHERE x.name IS NULL)
ORDER BY m.name, i.seq`

const ALL_RELATIONS = `
SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY 1`

/** Reads the relations with these names, and the scripts that serve as functions. */
export async function readCatalog(
  connection: ChildConnection,
  names: CatalogNames,
  functionsFolder: string,
): Promise<Catalog> {
  const allFunctions = await listScripts(functionsFolder)
  const relations = await readRelations(connection, names.relations)
  const all = await rowsOf(connection, ALL_RELATIONS, [])
  return {
    relations,
    functions: await readFunctions(connection, names.functions, allFunctions),
    allRelations: all.map(([name]) => name!),
    allFunctions,
  }
}

async function rowsOf(connection: ChildConnection, text: string, parameters: readonly string[]) {
  const once = { name: null, readOnly: true, begin: null, settings: [], maxBytes: 0 } as const
  return (await connection.request({ op: 'run', text, parameters, ...once })).rows
}

async function readRelations(
  connection: ChildConnection,
  asked: readonly string[],
): Promise<ReadonlyMap<string, CatalogRelation>> {
  const found = new Map<string, CatalogRelation>()
  if (asked.length === 0) return found
  const relations = new Map<string, Relation>()
  // Reads all relations, because facts of a view are derived from its tables.
  for (const row of await rowsOf(connection, COLUMNS, [])) {
    const [name, kind, sql, column, type, notNull, key, isRowId, isUnique] = row as readonly string[]
    const relation = relations.get(name!.toLowerCase()) ?? {
      name: name!,
      kind,
      sql,
      columns: [],
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
    if (key !== '0') relation.keys[Number(key) - 1] = column!
  }
  for (const [name, columns] of await rowsOf(connection, COMPOSITE_KEYS, [])) {
    relations.get(name!.toLowerCase())?.compositeKeys.push(JSON.parse(columns!) as string[])
  }
  for (const relation of relations.values()) nameJson(relation)
  const proven = proveViews(relations)
  for (const name of asked) {
    const relation = relations.get(bareName(name).toLowerCase())
    if (relation === undefined) continue
    const kind = relation.kind === 'view' ? 'view' : 'table'
    const { columns, compositeKeys } = proven(relation)
    const composite = compositeKeys.length === 0 ? {} : { compositeKeys }
    found.set(name, {
      schema: 'main',
      name: relation.name,
      kind,
      columns,
      primaryKey: relation.keys,
      textTimes: true,
      ...composite,
    })
  }
  return found
}

interface Relation extends ProvenRelation {
  readonly kind: string | undefined
  readonly columns: ProvenRelation['columns'][number][]
  readonly keys: string[]
  readonly compositeKeys: (readonly string[])[]
}

/** Marks columns of a view whose expressions yield JSON, because expressions have no declared type. */
function nameJson({ sql, columns }: Relation): void {
  if (sql === null || sql === undefined) return
  for (const [index, isJson] of jsonExpressions(sql).entries()) {
    const column = columns[index]
    if (isJson && column?.type === UNKNOWN_TYPE) columns[index] = { ...column, type: 'json' }
  }
}

/** The name without its schema: `main.v_user` is the same as `v_user`, because a file has one schema. */
function bareName(name: string): string {
  return name.replace(/^main\./i, '')
}

async function listScripts(folder: string): Promise<readonly string[]> {
  try {
    const files = await readdir(folder)
    return files
      .filter((file) => file.endsWith('.sql'))
      .map((file) => file.slice(0, -'.sql'.length))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function readFunctions(
  connection: ChildConnection,
  asked: readonly string[],
  there: readonly string[],
): Promise<ReadonlyMap<string, readonly CatalogFunction[]>> {
  const functions = new Map<string, readonly CatalogFunction[]>()
  for (const name of asked) {
    if (!there.includes(bareName(name))) continue
    const { scripts = [] } = await connection
      .request({ op: 'describe', names: [bareName(name)] })
      .catch((error: unknown) => Promise.reject(scriptFault(error)))
    functions.set(name, scripts.map(describeFunction))
  }
  return functions
}

function describeFunction({ name, parameters, returns, columns }: ScriptDescription): CatalogFunction {
  return {
    schema: 'main',
    name,
    kind: 'function',
    parameters: parameters.map((parameter) => ({ ...parameter, type: canonicalType(parameter.type) })),
    returns: describeResult(returns, columns),
  }
}

/** The result as declared at the head of the script; otherwise one column is a value, and several are a row. No columns: unknown. */
function describeResult(
  declared: ScriptDescription['returns'],
  columns: ScriptDescription['columns'],
): CatalogFunction['returns'] {
  const named = (columns ?? []).map(({ name, type }) => ({ name, type: canonicalType(type) }))
  if (declared !== null) {
    const type = declared.type.toLowerCase()
    if (type === 'void') return { set: false, kind: 'void', type, columns: [] }
    if (type === 'record') return { set: declared.set, kind: 'composite', type, columns: named }
    return { set: declared.set, kind: 'scalar', type: canonicalType(type), columns: [] }
  }
  if (columns === null) return { set: false, kind: 'composite', type: 'record', columns: [] }
  if (named.length === 0) return { set: false, kind: 'void', type: 'void', columns: [] }
  if (named.length > 1) return { set: false, kind: 'composite', type: 'record', columns: named }
  return { set: false, kind: 'scalar', type: named[0]?.type ?? UNKNOWN_TYPE, columns: [] }
}

/** Reports a fault of a script with its location, because its author has to fix it. */
function scriptFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { where } = error as { readonly where?: string }
  if (where === undefined) return error
  return new SvcError('SVC_SCHEMA_INVALID', `The script ${where} cannot be used: ${error.message}.`, { cause: error })
}

/**
 * Finds the columns of a view whose expression yields JSON: SQLite gives columns of views no type.
 * @param sql `CREATE VIEW …`
 * @returns one flag per column; empty if the positions are unknown (compound queries, `*`)
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
