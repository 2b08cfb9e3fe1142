import type { CatalogFunction } from '../../../contract/database.ts'
import { type CatalogReader, nameParameters } from './catalog-reader.ts'
import type { Types } from './read-types.ts'

export interface FunctionRow {
  readonly asked: string
  readonly schema: string
  readonly name: string
  readonly kind: 'function' | 'procedure'
  readonly set: boolean
  readonly result: string
  readonly defaults: number
  readonly movesPath: boolean
  readonly arguments: readonly { readonly name: string | null; readonly type: string; readonly mode: string }[]
}

/**
 * Tests for functions whose body sets the search_path. The catalog does not list the functions that a function calls, so one such
 * function counts for all of them. A clause of the function itself (`SET search_path = …`) ends with the call, and does not count.
 */
const MOVERS = `EXISTS (SELECT FROM pg_catalog.pg_proc f JOIN pg_catalog.pg_namespace o ON o.oid = f.pronamespace
  WHERE o.nspname NOT IN ('pg_catalog', 'information_schema') AND f.prokind IN ('f', 'p')
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e')
    AND CASE
    WHEN f.prosrc <> '' THEN f.prosrc ~* '\\msearch_path\\M'
    ELSE pg_catalog.pg_get_functiondef(f.oid) ~* '\\mset_config\\M' END)::text`

/** Selects functions by name, without variadic and trigger functions, which svc cannot call. */
const SQL = `
SELECT n.asked, s.nspname, p.proname, p.prokind, p.proretset, p.prorettype, p.pronargdefaults,
  array_to_json(coalesce(p.proargnames, '{}')), array_to_json(coalesce(p.proargmodes, '{}')),
  array_to_json(coalesce(p.proallargtypes, p.proargtypes::oid[])), ${MOVERS}
FROM unnest($1::text[], $2::text[], $3::text[]) AS n(asked, schema, name)
JOIN pg_catalog.pg_proc p ON p.proname = n.name AND p.prokind IN ('f', 'p') AND p.provariadic = 0
  AND p.prorettype <> ALL (ARRAY['trigger', 'event_trigger']::regtype[])
JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
WHERE CASE WHEN n.schema IS NULL THEN pg_catalog.pg_function_is_visible(p.oid) ELSE s.nspname = n.schema END
ORDER BY n.asked, s.nspname, p.proname, p.pronargs, p.oid`

/**
 * Reads all overloads of the named functions and procedures from `pg_proc`, in one round trip. Variadic functions and
 * trigger functions are omitted, because svc cannot call them.
 */
export async function readFunctions(reader: CatalogReader, names: readonly string[]): Promise<readonly FunctionRow[]> {
  if (names.length === 0) return []
  const rows = await reader.query(SQL, nameParameters(names))
  return rows.map((row) => {
    const [asked, schema, name, kind, set, result, defaults, argNames, argModes, argTypes, movesPath] =
      row as readonly string[]
    const modes: string[] = JSON.parse(argModes!)
    const names: string[] = JSON.parse(argNames!)
    const types: unknown[] = JSON.parse(argTypes!)
    return {
      asked: asked!,
      schema: schema!,
      name: name!,
      kind: kind === 'p' ? 'procedure' : 'function',
      set: set === 't',
      result: result!,
      defaults: Number(defaults),
      movesPath: movesPath === 'true',
      arguments: types.map((type, i) => ({ name: names[i] || null, type: String(type), mode: modes[i] ?? 'i' })),
    } as const
  })
}

const COMPOSITE_COLUMNS = `
SELECT a.attrelid, a.attname, a.atttypid FROM pg_catalog.pg_attribute a
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum`

export type CompositeColumns = ReadonlyMap<string, readonly { readonly name: string; readonly type: string }[]>

/**
 * Reads the columns of composite types and relations, in one round trip.
 * @param relations `pg_class.oid` of the composite types
 * @returns the columns by `pg_class.oid`; their types are OIDs
 */
export async function readCompositeColumns(
  reader: CatalogReader,
  relations: readonly string[],
): Promise<CompositeColumns> {
  const found = new Map<string, { name: string; type: string }[]>()
  if (relations.length === 0) return found
  for (const row of await reader.query(COMPOSITE_COLUMNS, [[...new Set(relations)]])) {
    const [relation, name, type] = row as readonly string[]
    const columns = found.get(relation!) ?? []
    columns.push({ name: name!, type: type! })
    found.set(relation!, columns)
  }
  return found
}

/**
 * Converts a row of `pg_proc` to the form in which the compiler checks functions, with names of types instead of OIDs.
 */
export function describeFunction(row: FunctionRow, types: Types, composites: CompositeColumns): CatalogFunction {
  const { relation: _, ...returns } = describeResult(row, types, composites)
  return {
    schema: row.schema,
    name: row.name,
    kind: row.kind,
    parameters: inputsOf(row).map(({ name, type, hasDefault }) => {
      const labels = types.labelsOf(type)
      return { name, type: types.nameOf(type), hasDefault, ...(labels === null ? {} : { labels }) }
    }),
    returns: { ...returns, columns: returns.columns.map(({ name, type }) => ({ name, type: types.nameOf(type) })) },
    ...(row.movesPath ? { movesPath: true } : {}),
  }
}

/**
 * Returns the parameters of a function that a call passes (IN, INOUT, VARIADIC), in order, and whether each has a
 * default. `defaults` is the number of parameters with a default; they are the last ones.
 */
export function inputsOf<A extends FunctionRow['arguments'][number]>(row: {
  readonly arguments: readonly A[]
  readonly defaults: number
}): readonly (A & { readonly hasDefault: boolean })[] {
  const inputs = row.arguments.filter(({ mode }) => mode === 'i' || mode === 'b' || mode === 'v')
  const firstDefault = inputs.length - row.defaults
  return inputs.map((argument, i) => ({ ...argument, hasDefault: i >= firstDefault }))
}

/** The result of a function. Types of its columns are OIDs. */
interface DescribedResult extends Omit<CatalogFunction['returns'], 'columns'> {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** `pg_class.oid` of the composite type or relation whose rows the function returns; `null`: it returns others. */
  readonly relation: string | null
}

/**
 * Describes the result of a function: nothing, one value, or columns, which are its OUT parameters or the columns of
 * its composite type.
 * @param composites columns of composite types by `pg_class.oid`
 * @returns `opaque`: the function returns `record` without declared columns
 */
export function describeResult(
  row: Pick<FunctionRow, 'arguments' | 'result' | 'set'>,
  types: Types,
  composites: CompositeColumns,
): DescribedResult {
  const { set } = row
  const type = types.nameOf(row.result)
  if (type === 'void' || row.result === '0') return { set, kind: 'void', type: 'void', columns: [], relation: null }
  const outputs = row.arguments.filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't')
  if (outputs.length > 0) {
    const columns = outputs.map((argument, i) => ({ name: argument.name ?? `column${i + 1}`, type: argument.type }))
    return { set, kind: type === 'record' ? 'composite' : 'scalar', type, columns, relation: null }
  }
  const relation = types.compositeOf(row.result)
  if (relation === null && type !== 'record') return { set, kind: 'scalar', type, columns: [], relation }
  const columns = relation === null ? [] : (composites.get(relation) ?? [])
  return { set, kind: 'composite', type, columns, relation, ...(relation === null ? { opaque: true as const } : {}) }
}
