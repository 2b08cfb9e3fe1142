import { readdir } from 'node:fs/promises'
import type { Catalog, CatalogFunction, CatalogNames, CatalogRelation } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type { ScriptDescription } from './child/protocol.ts'
import type { ChildConnection } from './child-connection.ts'
import { canonicalType, UNKNOWN_TYPE } from './dialect/declared-type.ts'
import { readRelations, rowsOf } from './read-relations.ts'

const ALL_RELATIONS = `
SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY 1`

/**
 * Reads the tables, views and function scripts of a SQLite database that a schema names.
 * @param functionsFolder folder with the SQL scripts that serve as functions
 */
export async function readCatalog(
  connection: ChildConnection,
  names: CatalogNames,
  functionsFolder: string,
): Promise<Catalog> {
  const allFunctions = await listScripts(functionsFolder)
  const relations = await readNamed(connection, names.relations)
  const all = await rowsOf(connection, ALL_RELATIONS, [])
  return {
    relations,
    functions: await readFunctions(connection, names.functions, allFunctions),
    allRelations: all.map(([name]) => name!),
    allFunctions,
  }
}

async function readNamed(
  connection: ChildConnection,
  asked: readonly string[],
): Promise<ReadonlyMap<string, CatalogRelation>> {
  const found = new Map<string, CatalogRelation>()
  if (asked.length === 0) return found
  const { relations, proven, broken } = await readRelations(connection)
  for (const name of asked) {
    const key = bareName(name).toLowerCase()
    if (broken.has(key)) throw broken.get(key)!.error
    const relation = relations.get(key)
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
