import type { Catalog, CatalogFunction, CatalogNames, CatalogRelation } from '../../../contract/database.ts'
import type { DatabaseModel } from '../../../contract/database-model.ts'
import { type CatalogReader, nameParameters } from './catalog-reader.ts'
import { factsOfModifier, typeOfColumn } from './column-facts.ts'
import { proofsOf } from './model-proofs.ts'
import { proveColumns } from './prove-columns.ts'
import { readBypasses } from './read-bypasses.ts'
import { type KeyCasts, readCasts } from './read-casts.ts'
import { describeFunction, readCompositeColumns, readFunctions } from './read-functions.ts'
import { readRelations } from './read-relations.ts'
import { readSetters } from './read-setters.ts'
import { readTypes, type Types } from './read-types.ts'

/** Selects all relations and functions on the search path (`r`, `f`), and those that are only found with their schema (`R`, `F`). */
const ALL_NAMES = `
WITH named AS (
  SELECT 'r' AS kind, pg_catalog.pg_table_is_visible(c.oid) AS visible, s.nspname AS schema, c.relname AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p')
  UNION ALL
  SELECT 'f', pg_catalog.pg_function_is_visible(p.oid), s.nspname, p.proname
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
  WHERE p.prokind IN ('f', 'p')
)
SELECT CASE WHEN visible THEN kind ELSE upper(kind) END, CASE WHEN visible THEN name ELSE schema || '.' || name END
FROM named WHERE schema <> 'information_schema' AND schema !~ '^pg_'
UNION
SELECT 'f', n.asked FROM unnest($1::text[], $2::text[], $3::text[]) AS n(asked, schema, name)
JOIN pg_catalog.pg_namespace s ON s.nspname = n.schema
JOIN pg_catalog.pg_proc p ON p.pronamespace = s.oid AND p.proname = n.name AND p.prokind IN ('f', 'p')
ORDER BY 1, 2`

const EXTENSIONS = `
SELECT e.extname, s.nspname FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace s ON s.oid = e.extnamespace ORDER BY 1`

const SEARCH_CONFIGS = `
SELECT c.cfgname, s.nspname, pg_catalog.pg_ts_config_is_visible(c.oid)::text
FROM pg_catalog.pg_ts_config c JOIN pg_catalog.pg_namespace s ON s.oid = c.cfgnamespace ORDER BY 1, 2`

/**
 * Reads tables, views and functions by name from PostgreSQL's system catalog, for `svc compile` and for checks of a
 * compiled schema. It also returns the names of all others, for suggestions in messages. The number of round trips is
 * fixed, plus one or two per view to analyse its columns.
 * @param model of the same database, read just before: its views are not analysed again
 */
export async function readCatalog(reader: CatalogReader, names: CatalogNames, model?: DatabaseModel): Promise<Catalog> {
  const relationRows = await readRelations(reader, names.relations)
  const functionRows = await readFunctions(reader, names.functions)
  const resultTypes = await readTypes(
    reader,
    functionRows.map((row) => row.result),
  )
  const composites = await readCompositeColumns(
    reader,
    functionRows.map((row) => resultTypes.compositeOf(row.result)).filter((oid) => oid !== null),
  )
  const types = await readTypes(reader, [
    ...[...relationRows.values()].flatMap((relation) => relation.columns.map((column) => column.type)),
    ...functionRows.flatMap((row) => [row.result, ...row.arguments.map((argument) => argument.type)]),
    ...[...composites.values()].flatMap((columns) => columns.map((column) => column.type)),
  ])
  const oids = [...relationRows.values()].map((relation) => relation.oid)
  const proofs = proofsOf(model, oids) ?? (await proveColumns(reader, oids))
  const { isNotNull, isNullable, isUnique, compositeKeys, originOf } = proofs
  const documents = [...relationRows.values()].flatMap(({ oid, columns }) =>
    columns.flatMap(({ attribute, type }) => (isJson(types.nameOf(type)) ? [originOf(oid, attribute)] : [])),
  )
  const casts = await readCasts(reader, documents)
  const castsOf = (oid: string, attribute: number): KeyCasts | undefined => {
    const origin = originOf(oid, attribute)
    return casts.get(`${origin.relation}.${origin.attribute}`)
  }
  const setters = await readSetters(reader, oids)
  const bypasses = await readBypasses(reader, oids)

  const extensions = await reader.query(EXTENSIONS, [])
  const postgis = extensions.find(([name]) => name === 'postgis')?.[1] ?? null

  const relations = new Map<string, CatalogRelation>()
  for (const [asked, { oid, schema, name, kind, columns, primaryKey }] of relationRows) {
    relations.set(asked, {
      schema,
      name,
      kind,
      columns: columns.map((column) => ({
        name: column.name,
        type: typeOfColumn(types, column.type),
        notNull: isNotNull(oid, column.attribute),
        unique: isUnique(oid, column.attribute),
        ...(isNullable(oid, column.attribute) ? { nullable: true } : {}),
        ...withCasts(castsOf(oid, column.attribute)),
        ...labelsOf(types, column.type),
        ...factsOfModifier(types.nameOf(column.type), column.modifier, postgis),
      })),
      primaryKey,
      ...compositeOf(columns, compositeKeys(oid)),
      ...(setters.has(oid) ? { resets: true } : {}),
      ...(bypasses.has(oid) ? { bypasses: bypasses.get(oid)! } : {}),
    })
  }
  const functions = new Map<string, CatalogFunction[]>()
  for (const row of functionRows) {
    const overloads = functions.get(row.asked) ?? []
    overloads.push(describeFunction(row, types, composites))
    functions.set(row.asked, overloads)
  }
  const configs = await reader.query(SEARCH_CONFIGS, [])
  const all = await reader.query(ALL_NAMES, nameParameters(names.functions))
  const namesOfKind = (wanted: string): string[] => all.filter(([kind]) => kind === wanted).map(([, name]) => name!)
  return {
    relations,
    functions,
    allRelations: namesOfKind('r'),
    allFunctions: namesOfKind('f'),
    elsewhere: { relations: namesOfKind('R'), functions: namesOfKind('F') },
    extensions: extensions.map(([name]) => name!),
    searchConfigs: configs.flatMap(([name, schema, visible]) => [
      ...(visible === 'true' ? [name!] : []),
      `${schema}.${name}`,
    ]),
  }
}

function compositeOf(
  columns: readonly { readonly name: string; readonly attribute: number }[],
  keys: readonly (readonly number[])[],
): Pick<CatalogRelation, 'compositeKeys'> {
  if (keys.length === 0) return {}
  const nameOf = (attribute: number): string => columns.find((column) => column.attribute === attribute)!.name
  return { compositeKeys: keys.map((key) => key.map(nameOf)) }
}

function isJson(type: string): boolean {
  return type === 'json' || type === 'jsonb'
}

function withCasts(casts: KeyCasts | undefined): { readonly casts?: KeyCasts } {
  return casts === undefined ? {} : { casts }
}

function labelsOf(types: Types, type: string): { readonly labels?: readonly string[] } {
  const labels = types.labelsOf(type)
  return labels === null ? {} : { labels }
}
