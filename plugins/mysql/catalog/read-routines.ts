import type { CatalogFunction } from '../../../core/doors/driver.ts'
import type { Row } from '../../../core/doors/plugin.ts'
import { canonicalType, enumLabels } from './column-type.ts'
import type { CatalogRows } from './read-relations.ts'
import { declaredResult, mayChangeSession, resultOfBody } from './routine-result.ts'

/** A stored function or procedure. */
export interface Routine extends CatalogFunction {
  readonly comment: string
  readonly isDeterministic: boolean
  /** `READS SQL DATA`, `MODIFIES SQL DATA`, … */
  readonly access: string
  /** Types of the parameters in SQL, in their order. */
  readonly sqlTypes: readonly string[]
  /** May it change settings or user variables of the session? */
  readonly changesSession: boolean
  /** Result in SQL; empty for a procedure. */
  readonly sqlType: string
}

const ROUTINES = `
SELECT ROUTINE_NAME, ROUTINE_TYPE, DATA_TYPE, DTD_IDENTIFIER, ROUTINE_DEFINITION, ROUTINE_COMMENT, IS_DETERMINISTIC,
  SQL_DATA_ACCESS
FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ?1 AND ROUTINE_TYPE IN ('FUNCTION', 'PROCEDURE')
ORDER BY ROUTINE_NAME, ROUTINE_TYPE`

const PARAMETERS = `
SELECT SPECIFIC_NAME, ROUTINE_TYPE, PARAMETER_NAME, PARAMETER_MODE, DATA_TYPE, DTD_IDENTIFIER
FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = ?1 AND ORDINAL_POSITION > 0
ORDER BY SPECIFIC_NAME, ROUTINE_TYPE, ORDINAL_POSITION`

const DECLARATIONS = `
SELECT CONVERT(name USING utf8mb4), type, CONVERT(param_list USING utf8mb4) FROM mysql.proc WHERE db = ?1`

/**
 * Reads the stored functions and procedures of a database. A procedure returns the columns of its SELECT, or its OUT
 * parameters; its comment may declare the result.
 */
export async function readRoutines(rowsOf: CatalogRows, schema: string): Promise<readonly Routine[]> {
  const parameters = new Map<string, Row[]>()
  for (const row of await rowsOf(PARAMETERS, [schema])) {
    const key = `${row[1]} ${row[0]}`
    parameters.set(key, [...(parameters.get(key) ?? []), row])
  }
  const texts = new Map((await readDeclarations(rowsOf, schema)).map(([name, type, list]) => [`${type} ${name}`, list]))
  return (await rowsOf(ROUTINES, [schema])).map((row) => {
    const key = `${row[1]} ${row[0]}`
    return describe(schema, row, parameters.get(key) ?? [], texts.get(key) ?? null)
  })
}

/** The parameters as they were written, on a MariaDB whose user may read them. */
async function readDeclarations(rowsOf: CatalogRows, schema: string): Promise<readonly Row[]> {
  return rowsOf(DECLARATIONS, [schema]).catch(() => [])
}

/** @param declaration the parameters as they were written; `null`: not known */
function describe(schema: string, row: Row, parameters: readonly Row[], declaration: string | null): Routine {
  const [name, type, dataType, sqlType, body, comment, deterministic, access] = row
  const isProcedure = type === 'PROCEDURE'
  const returns = isProcedure
    ? (declaredResult(comment ?? '') ?? outParameters(parameters, declaration) ?? resultOfBody(body ?? null))
    : scalarResult(dataType ?? '', sqlType ?? '', comment ?? '')
  return {
    schema,
    name: name!,
    kind: isProcedure ? 'procedure' : 'function',
    ...(isProcedure && returns.kind !== 'void' ? { yields: true as const } : {}),
    parameters: parameters.map((parameter) => {
      const [, , parameterName, mode, parameterType, parameterSql] = parameter
      return {
        name: parameterName ?? null,
        type:
          parameterType === 'longtext'
            ? longTextType(parameterName ?? '', declaration)
            : typeOf(parameterType!, parameterSql!, `${name}_${parameterName}`),
        // A value is accepted for an OUT parameter, and has no effect.
        hasDefault: mode === 'OUT',
        ...(parameterType === 'enum' ? { labels: enumLabels(parameterSql!) } : {}),
      }
    }),
    returns,
    comment: comment ?? '',
    isDeterministic: deterministic === 'YES',
    access: access ?? '',
    changesSession: mayChangeSession(
      body ?? null,
      parameters.map((parameter) => parameter[2] ?? ''),
    ),
    sqlTypes: parameters.map((parameter) => parameter[5] ?? ''),
    sqlType: isProcedure ? '' : (sqlType ?? ''),
  }
}

/** MariaDB shows JSON as LONGTEXT. Any value fits a parameter that may be either. */
function longTextType(name: string, declaration: string | null): string {
  if (declaration === null) return 'unknown'
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`[\`"\\s(,]${escaped}[\`"]?\\s+JSON\\b|^[\`"]?${escaped}[\`"]?\\s+JSON\\b`, 'i').test(declaration)
    ? 'json'
    : 'text'
}

function scalarResult(dataType: string, sqlType: string, comment: string): CatalogFunction['returns'] {
  const type = typeOf(dataType, sqlType, '')
  // MariaDB declares JSON as longtext.
  const declared = declaredResult(comment)
  return { set: false, kind: 'scalar', type: declared?.type === 'json' ? 'json' : type, columns: [] }
}

function outParameters(parameters: readonly Row[], declaration: string | null): CatalogFunction['returns'] | null {
  const out = parameters.filter(([, , , mode]) => mode === 'OUT' || mode === 'INOUT')
  if (out.length === 0) return null
  const columns = out.map(([, , name, , dataType, sqlType]) => ({
    name: name ?? '',
    type: dataType === 'longtext' ? longTextType(name ?? '', declaration) : typeOf(dataType!, sqlType!, name ?? ''),
  }))
  return { set: false, kind: 'composite', type: 'record', columns }
}

function typeOf(dataType: string, columnType: string, enumName: string): string {
  return canonicalType({ dataType, columnType, enumName })
}
