import type {
  DatabaseModel,
  ModelEnum,
  ModelFunction,
  ModelRelation,
  SkippedObject,
} from '../../../contract/database-model.ts'
import type { CatalogReader } from '../catalog/catalog-reader.ts'
import { keepProofs } from '../catalog/model-proofs.ts'
import { type ColumnProofs, proveColumns } from '../catalog/prove-columns.ts'
import { readCompositeColumns } from '../catalog/read-functions.ts'
import { readTypes } from '../catalog/read-types.ts'
import { describeFunctions } from './describe-functions.ts'
import { describeRelation } from './describe-relation.ts'
import { readForeignKeys, readModelIndexes, readOperatorClasses } from './read-keys.ts'
import { type ColumnFacts, readModelColumns } from './read-model-columns.ts'
import { type FunctionFacts, readModelFunctions } from './read-model-functions.ts'
import { type ReadRelations, type RelationHead, readModelRelations } from './read-model-relations.ts'
import { belongsToExtension, belongsToUser, commentOf } from './user-objects.ts'

/** Number of relations per query, which bounds the rows in memory and the time of each query. */
const BATCH = 1000

/** Most views whose columns are proven, because each takes a round trip. */
const MAX_PROVEN_VIEWS = 500

const POSTGIS = `
SELECT s.nspname FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace s ON s.oid = e.extnamespace WHERE e.extname = 'postgis'`

const ENUMS = `
SELECT n.nspname, t.typname, pg_catalog.pg_type_is_visible(t.oid), ${commentOf('pg_type', 't.oid')}, ${belongsToExtension('pg_type', 't.oid')},
  (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'e' AND ${belongsToUser('t.typname')}
ORDER BY n.nspname, t.typname`

/**
 * Reads all tables, views, functions and enums of a database from the system catalog of PostgreSQL 13 and later, from
 * which `svc init` and `svc introspect` propose a schema. It takes about ten queries, four more per thousand relations,
 * and, up to 500 views, about one per view.
 */
export async function readDatabaseModel(reader: CatalogReader): Promise<DatabaseModel> {
  const relations = await readModelRelations(reader)
  const described = await describeRelations(reader, relations)
  const functions = await readFunctionModels(reader, relations)
  const { enums, skipped } = await readEnums(reader, described.relations, functions.functions)
  const model = {
    relations: described.relations,
    functions: functions.functions,
    enums,
    skipped: [...relations.skipped, ...described.skipped, ...functions.skipped, ...skipped],
  }
  if (described.proofs !== null) {
    const oids = relations.usable.map(({ oid }) => oid)
    keepProofs(model, described.proofs, oids)
  }
  return model
}

async function describeRelations(reader: CatalogReader, { usable }: ReadRelations) {
  const postgis = (await reader.query(POSTGIS, []))[0]?.[0] ?? null
  const classes = await readOperatorClasses(reader)
  const proofs = await proveRelations(reader, usable)
  const relations: ModelRelation[] = []
  const skipped: SkippedObject[] = []
  for (let start = 0; start < usable.length; start += BATCH) {
    const heads = usable.slice(start, start + BATCH)
    const oids = heads.map(({ oid }) => oid)
    const columns = await readModelColumns(
      reader,
      oids,
      heads.filter(isWritableView).map(({ oid }) => oid),
    )
    const indexes = await readModelIndexes(reader, oids, classes)
    const foreignKeys = await readForeignKeys(reader, oids)
    const types = await readTypes(reader, typesOf(columns))
    for (const head of heads) {
      const parts = {
        head,
        columns: columns.get(head.oid) ?? [],
        indexes: indexes.get(head.oid) ?? [],
        foreignKeys: foreignKeys.get(head.oid) ?? [],
        proofs: head.kind === 'view' ? proofs : null,
      }
      if (parts.columns.length === 0) {
        skipped.push({ kind: head.kind, name: `${head.schema}.${head.name}`, reason: 'has no columns' })
        continue
      }
      const relation = describeRelation(parts, types, postgis)
      relations.push(relation)
      skipped.push(...unreadableColumns(relation))
    }
  }
  return { relations, skipped, proofs }
}

function isWritableView({ kind, privileges }: RelationHead): boolean {
  return kind === 'view' && (privileges.insert || privileges.update)
}

async function proveRelations(reader: CatalogReader, usable: readonly RelationHead[]): Promise<ColumnProofs | null> {
  const views = usable.filter(({ kind }) => kind === 'view')
  if (views.length > MAX_PROVEN_VIEWS) return null
  return proveColumns(
    reader,
    usable.map(({ oid }) => oid),
  )
}

function typesOf(columns: ReadonlyMap<string, readonly ColumnFacts[]>): readonly string[] {
  const types = new Set<string>()
  for (const ofRelation of columns.values()) for (const { type } of ofRelation) types.add(type)
  return [...types]
}

function unreadableColumns({ schema, name, columns }: ModelRelation): readonly SkippedObject[] {
  return columns
    .filter(({ unreadable }) => unreadable)
    .map((column) => ({
      kind: 'column',
      name: `${schema}.${name}.${column.name}`,
      reason: 'may not be read by the role (no SELECT privilege)',
    }))
}

async function readFunctionModels(reader: CatalogReader, { names }: ReadRelations) {
  const read = await readModelFunctions(reader)
  const results = await readTypes(
    reader,
    read.functions.map(({ result }) => result),
  )
  const composites = await readCompositeColumns(
    reader,
    read.functions.map(({ result }) => results.compositeOf(result)).filter((oid) => oid !== null),
  )
  const types = await readTypes(reader, [
    ...read.functions.flatMap(typesOfFunction),
    ...[...composites.values()].flatMap((columns) => columns.map(({ type }) => type)),
  ])
  const described = describeFunctions(read.functions, { types, composites, relations: names })
  return { functions: described.functions, skipped: [...read.skipped, ...described.skipped] }
}

function typesOfFunction(one: FunctionFacts): readonly string[] {
  return [one.result, ...one.arguments.map(({ type }) => type)]
}

/** Reads the enums of the user, and those of extensions that columns or functions use. One round trip. */
async function readEnums(
  reader: Pick<CatalogReader, 'query'>,
  relations: readonly ModelRelation[],
  functions: readonly ModelFunction[],
): Promise<{ readonly enums: readonly ModelEnum[]; readonly skipped: readonly SkippedObject[] }> {
  const used = usedEnums(relations, functions)
  const enums: ModelEnum[] = []
  const skipped: SkippedObject[] = []
  for (const row of await reader.query(ENUMS, [])) {
    const [schema, name, visible, comment, ofExtension, labels] = row as readonly (string | null)[]
    const qualified = `${schema}.${name}`
    if (ofExtension === 't' && !used.has(qualified)) continue
    if (labels === null || labels === undefined) {
      skipped.push({ kind: 'enum', name: qualified, reason: 'has no labels' })
      continue
    }
    enums.push({
      schema: schema!,
      name: name!,
      visible: visible === 't',
      labels: JSON.parse(labels) as string[],
      ...(comment === null ? {} : { comment: comment! }),
    })
  }
  return { enums, skipped }
}

/** Names of the enums of columns, parameters and results. */
function usedEnums(relations: readonly ModelRelation[], functions: readonly ModelFunction[]): ReadonlySet<string> {
  const columns = relations.flatMap((relation) => relation.columns)
  const ofFunctions = functions.flatMap(({ parameters, returns }) => [...parameters, returns, ...returns.columns])
  return new Set([...columns, ...ofFunctions].flatMap((one) => (one.enum === undefined ? [] : [one.enum])))
}
