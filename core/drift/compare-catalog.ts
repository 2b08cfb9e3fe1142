import type { Catalog, Database } from '../contract/database.ts'
import { isRecord } from '../plan/write/write-form.ts'
import type { CompiledFunction, CompiledMutation, CompiledSchema, CompiledSource } from '../schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../schema/type-ref.ts'
import { toSnakeCase } from '../util/naming.ts'
import { compareCall, type UsedCall } from './compare-function.ts'
import { compareRelation, type UsedRelation } from './compare-relations.ts'
import type { Difference } from './difference.ts'
import { usedColumns } from './used-columns.ts'

/** The relations and function calls of one database that a schema uses. */
export interface DatabaseNeeds {
  readonly relations: readonly UsedRelation[]
  readonly calls: readonly UsedCall[]
}

/** Columns that are read of a record by which a function reports the outcome of a mutation. */
const RECORD: ReadonlySet<string> = new Set('succeeded status message entity entity_id entity_type data'.split(' '))

/** @param of name of the database in `[databases]`; `undefined`: the default one */
export function needsOf(compiled: CompiledSchema, of: string | undefined): DatabaseNeeds {
  const columns = usedColumns(compiled)
  const relations = Object.entries(compiled.sources)
    .filter(([, source]) => source.database === of)
    .map(([key, source]) => ({
      name: writtenName(source),
      source,
      columns: columns.get(key) ?? new Map<string, readonly string[]>(),
      places: placesOf(compiled, key),
    }))
  const calls = compiled.mutations.flatMap((mutation) => callsOf(compiled, mutation))
  return { relations, calls: calls.filter(({ target }) => target.database === of) }
}

/**
 * Compares what the compiled schema uses with what the database has: what is gone, and what has another type, so that
 * statements fail. What the database has beyond that is no difference.
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

function placesOf(compiled: CompiledSchema, key: string): readonly string[] {
  const types = [...compiled.types, ...compiled.interfaces, ...compiled.unions].filter((one) => one.sql_source === key)
  const queries = compiled.queries.filter(({ source }) => source === key)
  return [...types.map(({ name }) => name), ...queries.map(({ name }) => `query ${name}`)]
}

function callsOf(compiled: CompiledSchema, mutation: CompiledMutation): readonly UsedCall[] {
  const { function: key, call, named_call, upsert } = mutation
  const forms = [{ function: key, call, named_call }, ...(upsert === undefined ? [] : [upsert])]
  return forms.flatMap(({ function: name, call: parameters, named_call: named }) => {
    const target = compiled.functions[name]
    if (target === undefined) return []
    const columns = readColumns(compiled, mutation, target)
    return [{ name: writtenName(target), place: `mutation ${mutation.name}`, target, parameters, named, columns }]
  })
}

/** Columns of the function's rows that the result can show; `null`: all, as nothing says which. */
function readColumns(
  compiled: CompiledSchema,
  { type }: CompiledMutation,
  { returns }: CompiledFunction,
): ReadonlySet<string> | null {
  if (returns !== null && isRecord(returns.columns)) return RECORD
  const ref = parseTypeRef(type)
  const named = ref === null ? null : namedTypeOf(ref).name
  const fields = [...compiled.types, ...compiled.interfaces].find(({ name }) => name === named)?.fields
  if (fields === undefined) return null
  return new Set(
    fields.flatMap(({ name, read }) => [toSnakeCase(name), name, ...(read?.from === 'column' ? [read.column] : [])]),
  )
}
