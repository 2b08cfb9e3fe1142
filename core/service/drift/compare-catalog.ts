import { toSnakeCase } from '../../base/util/naming.ts'
import type { Catalog, Database } from '../../contract/database.ts'
import type { CompiledFunction, CompiledMutation, CompiledSchema, CompiledSource } from '../../schema/compiled.ts'
import { isRecord } from '../../schema/return-form.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { compareCall, type UsedCall } from './compare-function.ts'
import { compareRelation, type UsedRelation } from './compare-relations.ts'
import type { Difference } from './difference.ts'
import { usedColumns } from './used-columns.ts'

/** The views, tables and function calls of a compiled schema that one database has to provide. */
export interface DatabaseNeeds {
  readonly relations: readonly UsedRelation[]
  readonly calls: readonly UsedCall[]
}

/** Columns of the record in which a function returns the outcome of a mutation. */
const RECORD: ReadonlySet<string> = new Set('succeeded status message entity entity_id entity_type data'.split(' '))

/**
 * Returns what a compiled schema needs from one database. @param of name in `[databases]`; `undefined`: the default
 * database
 */
export function needsOf(compiled: CompiledSchema, of: string | undefined): DatabaseNeeds {
  const columns = usedColumns(compiled)
  const places = placesBySource(compiled)
  const relations = Object.entries(compiled.sources)
    .filter(([, source]) => source.database === of)
    .map(([key, source]) => ({
      name: writtenName(source),
      source,
      columns: columns.get(key) ?? new Map<string, readonly string[]>(),
      places: places.get(key) ?? [],
    }))
  const fields = fieldsByType(compiled)
  const calls = compiled.mutations.flatMap((mutation) => callsOf(compiled, mutation, fields))
  return { relations, calls: calls.filter(({ target }) => target.database === of) }
}

/**
 * Compares a compiled schema with the current catalog of a database. It reports missing objects and changed types that
 * make statements fail. Objects that the schema does not use are ignored.
 */
export async function compareCatalog(
  database: Pick<Database, 'catalog'>,
  { relations, calls }: DatabaseNeeds,
): Promise<readonly Difference[]> {
  if (relations.length === 0 && calls.length === 0) return []
  const catalog: Catalog = await database.catalog({
    relations: relations.map(({ name }) => name),
    functions: [...new Set(calls.map(({ name }) => name))],
  })
  return [
    ...relations.flatMap((relation) => compareRelation(relation, catalog)),
    ...calls.flatMap((call) => compareCall(call, catalog)),
  ]
}

function writtenName({ schema, name }: CompiledSource | CompiledFunction): string {
  return schema === undefined ? name : `${schema}.${name}`
}

/** Lists the names of the types, then of the relations and queries, that read each source. */
function placesBySource({
  types,
  interfaces,
  unions,
  queries,
}: CompiledSchema): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>()
  const add = (source: string | undefined, place: string): void => {
    if (source === undefined) return
    const known = places.get(source)
    if (known === undefined) places.set(source, [place])
    else known.push(place)
  }
  for (const { name, sql_source: source } of [...types, ...interfaces, ...unions]) add(source, name)
  for (const { name, fields } of [...types, ...interfaces]) {
    for (const { name: field, read } of fields)
      if (read?.from === 'relation') add(read.through?.source, `${name}.${field}`)
  }
  for (const { name, source } of queries) add(source, `query ${name}`)
  return places
}

type Fields = CompiledSchema['types'][number]['fields']

function fieldsByType({ types, interfaces }: CompiledSchema): ReadonlyMap<string, Fields> {
  return new Map([...interfaces, ...types].map(({ name, fields }) => [name, fields]))
}

function callsOf(
  compiled: CompiledSchema,
  mutation: CompiledMutation,
  fields: ReadonlyMap<string, Fields>,
): readonly UsedCall[] {
  const { function: key, call, named_call, upsert } = mutation
  const forms = [{ function: key, call, named_call }, ...(upsert === undefined ? [] : [upsert])]
  return forms.flatMap(({ function: name, call: parameters, named_call: named }) => {
    const target = compiled.functions[name]
    if (target === undefined) return []
    const columns = readColumns(fields, mutation, target)
    return [{ name: writtenName(target), place: `mutation ${mutation.name}`, target, parameters, named, columns }]
  })
}

/** Returns the columns of the function's rows that the result can contain; `null`: unknown, so that all columns count. */
function readColumns(
  byType: ReadonlyMap<string, Fields>,
  { type }: CompiledMutation,
  { returns }: CompiledFunction,
): ReadonlySet<string> | null {
  if (returns !== null && isRecord(returns.columns)) return RECORD
  const ref = parseTypeRef(type)
  const named = ref === null ? null : namedTypeOf(ref).name
  const fields = named === null ? undefined : byType.get(named)
  if (fields === undefined) return null
  return new Set(
    fields.flatMap(({ name, read }) => [toSnakeCase(name), name, ...(read?.from === 'column' ? [read.column] : [])]),
  )
}
