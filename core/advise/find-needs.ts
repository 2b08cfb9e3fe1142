import type { CompiledPair, CompiledRead, CompiledSource } from '../schema/compiled.ts'
import { readFullText } from '../schema/full-text.ts'
import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../schema/model.ts'
import type { BaseColumns } from './base-columns.ts'
import { needsOfFields } from './field-needs.ts'
import type { FoundNeed, IndexNeed, IndexUse } from './index-need.ts'
import type { DatabaseFacts } from './read-facts.ts'

/**
 * Returns the indexes that the reads of a schema need: for relations, then pages, then arguments, then filters and
 * sorts.
 * @param base maps columns of views to columns of tables
 */
export function findNeeds(schema: SchemaModel, base: BaseColumns, kind: DatabaseFacts['kind']): readonly FoundNeed[] {
  const types = [...schema.types.values()].filter((type): type is ObjectType => type.kind === 'object')
  const queries = [...schema.queries.values(), ...schema.arrowQueries.values()]
  return [
    ...types.flatMap((type) => [...type.fields.values()].flatMap((field) => relationNeeds(schema, type, field, base))),
    ...queries.flatMap((query) => pageNeeds(query, base)),
    ...queries.flatMap((query) => lookupNeeds(query, base)),
    ...queries.flatMap((query) =>
      needsOfFields(query, fixedColumns(query.source, query.named as ObjectType, query, base), base, kind),
    ),
  ]
}

/**
 * Maps columns of a view or table of the schema to the columns of one table.
 * @returns `null`: a column is computed, or the columns belong to several tables
 */
export function columnsOf(
  base: BaseColumns,
  source: CompiledSource,
  names: readonly string[],
): Pick<IndexNeed, 'relation' | 'columns'> | null {
  const found = names.map((name) => base.of(source, name))
  const [first] = found
  if (first === undefined || first === null) return null
  const columns = found.flatMap((one) => (one?.relation === first.relation ? [one.column.name] : []))
  return columns.length === names.length ? { relation: first.relation, columns } : null
}

/** Returns the base columns that rules of the type and the query compare with a value in each read. */
function fixedColumns(
  source: CompiledSource,
  type: Partial<Pick<ObjectType, 'injectReads'>> | null,
  query: Pick<QueryModel, 'injectReads'> | null,
  base: BaseColumns,
): ReadonlySet<string> {
  const reads = [...(type?.injectReads?.values() ?? []), ...(query?.injectReads.values() ?? [])]
  return new Set(
    reads.flatMap((read) => (read.from === 'column' ? (base.of(source, read.column)?.column.name ?? []) : [])),
  )
}

function relationNeeds(
  schema: SchemaModel,
  type: ObjectType,
  { read, wireName }: FieldModel,
  base: BaseColumns,
): readonly FoundNeed[] {
  if (read?.from !== 'relation' || read.across === true) return []
  const own = [read, ...(read.also ?? [])]
  const { through } = read
  const hops: readonly (readonly [string, readonly CompiledPair[]])[] =
    through === undefined
      ? [[read.target, own]]
      : [
          [through.source, own],
          [read.target, through.pairs],
        ]
  return hops.flatMap(([name, pairs]): readonly FoundNeed[] => {
    const source = schema.sources.get(name)
    if (source === undefined) return []
    const found = columnsOf(
      base,
      source,
      pairs.map((pair) => pair.to_column),
    )
    if (found === null) return []
    const ofSource = [...schema.types.values()].find((one) => one.kind === 'object' && one.source === source)
    const fixed = fixedColumns(source, (ofSource as ObjectType | undefined) ?? null, null, base)
    return [{ ...found, use: 'lookup', fixed, rule: 'index-relation', usedBy: `${type.name}.${wireName}` }]
  })
}

/** The pages of a connection are found by the key of its type. */
function pageNeeds(query: QueryModel, base: BaseColumns): readonly FoundNeed[] {
  const { named, source, relay, wireName } = query
  if (!relay || named.kind !== 'object' || named.cursor === null) return []
  const { column, document, tie, by, digest } = named.cursor
  if (document !== null || digest) return []
  const found = columnsOf(base, source, by ?? (tie === null ? [column] : [column, tie]))
  if (found === null) return []
  const fixed = fixedColumns(source, named, query, base)
  return [{ ...found, use: 'order', fixed, rule: 'index-page', usedBy: wireName }]
}

/** Required arguments are looked up together, optional ones each by itself. */
function lookupNeeds(query: QueryModel, base: BaseColumns): readonly FoundNeed[] {
  const { source, wireName } = query
  const fixed = fixedColumns(source, query.named as ObjectType, query, base)
  const need = (names: readonly string[], use: IndexUse, usedBy: string): readonly FoundNeed[] => {
    const found = columnsOf(base, source, names)
    return found === null ? [] : [{ ...found, use, fixed, rule: 'index-lookup', usedBy }]
  }
  const required: string[] = []
  const found: FoundNeed[] = []
  for (const argument of query.arguments.values()) {
    const read: CompiledRead | undefined =
      query.argumentReads.get(argument.name) ?? query.argumentReads.get(argument.wireName)
    const search = argument.compiled.full_text
    if (search !== undefined)
      found.push(...need([readFullText(search).column], 'words', `${wireName}(${argument.wireName}:)`))
    else if (read?.from !== 'column') continue
    else if (argument.type.nullable) found.push(...need([read.column], 'lookup', `${wireName}(${argument.wireName}:)`))
    else required.push(read.column)
  }
  if (required.length > 0) found.unshift(...need(required, 'lookup', wireName))
  return found
}
