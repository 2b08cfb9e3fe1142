import type { CompiledRead, CompiledSchema } from '../../schema/compiled.ts'
import { DEFAULT_TYPE_COLUMN } from '../../schema/link/link-types.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'

/**
 * For each view or table of a compiled schema, the columns that statements read, each with the elements of the schema
 * that need it (`Post.title`).
 */
export type UsedColumns = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** Fields of a type or interface, with the columns that they read. */
type Reads = readonly (readonly [place: string, read: CompiledRead | null | undefined])[]

/**
 * Returns the columns that the statements of a compiled schema read. If the schema contains the columns of a view or
 * table, names that are no column of it (such as keys of a JSON document) are left out.
 */
export function usedColumns(compiled: CompiledSchema): UsedColumns {
  const used = new Map<string, Map<string, string[]>>()
  /** The recorded columns of each source. Sources without recorded columns have no entry. */
  const recorded = new Map<string, ReadonlySet<string>>()
  for (const [source, { columns }] of Object.entries(compiled.sources)) {
    used.set(source, new Map())
    if (columns.length > 0) recorded.set(source, new Set(columns.map(({ name }) => name)))
  }

  function need(source: string | undefined, column: string | undefined, place: string): void {
    const columns = source === undefined ? undefined : used.get(source)
    if (columns === undefined || column === undefined || column === '') return
    if (recorded.get(source!)?.has(column) === false) return
    const places = columns.get(column) ?? []
    columns.set(column, places)
    if (!places.includes(place)) places.push(place)
  }

  function needRead(source: string | undefined, place: string, read: CompiledRead | null | undefined): void {
    if (read === null || read === undefined) return
    if (read.from === 'relation') {
      const { through } = read
      for (const pair of [read, ...(read.also ?? [])]) {
        need(source, pair.from_document ?? pair.from_column, place)
        need(through?.source ?? read.target, pair.to_column, place)
      }
      for (const pair of through?.pairs ?? []) {
        need(through?.source, pair.from_column, place)
        need(read.target, pair.to_column, place)
      }
    } else {
      need(source, read.from === 'column' ? read.column : read.document, place)
    }
  }

  const needAll = (source: string | undefined, reads: Reads): void => {
    for (const [place, read] of reads) needRead(source, place, read)
  }

  // A type and its queries mostly read the same source.
  const done = new Set<string>()
  const needType = (source: string | undefined, type: string): void => {
    const key = `${source} ${type}`
    if (done.has(key)) return
    done.add(key)
    needAll(source, readsOf.get(type) ?? [])
  }

  const readsOf = new Map<string, Reads>()
  for (const { name, fields } of [...compiled.types, ...compiled.interfaces]) {
    readsOf.set(
      name,
      fields.map((field) => [`${name}.${field.name}`, field.read] as const),
    )
  }
  for (const { name, sql_source: source, inject_reads: injected = {}, cursor } of compiled.types) {
    needType(source, name)
    needAll(source, readsUnder(`${name} (inject)`, injected))
    const place = `pages of ${name}`
    for (const column of [cursor?.document ?? cursor?.column, ...(cursor?.by ?? [])]) need(source, column, place)
  }
  for (const { name, sql_source: source } of compiled.interfaces) needType(source, name)
  for (const { name, sql_source: source, type_column: column = DEFAULT_TYPE_COLUMN } of [
    ...compiled.interfaces,
    ...compiled.unions,
  ]) {
    need(source, column, `${name} (type_column)`)
  }
  for (const query of compiled.queries) {
    const { source, argument_reads: taken, inject_reads: injected } = query
    const place = `query ${query.name}`
    const ref = parseTypeRef(query.type)
    if (ref !== null) needType(source, namedTypeOf(ref).name)
    needAll(source, [...readsUnder(place, taken), ...readsUnder(place, injected)])
    if (query.type_column !== undefined) need(source, query.type_column, place)
    if (query.relay === true || query.auto_params.limit) {
      for (const column of compiled.sources[source]?.key ?? []) need(source, column, `order of ${place}`)
    }
  }
  for (const { name, type, inject_reads: injected = {} } of compiled.subscriptions) {
    const of = compiled.types.find((one) => one.name === type.replace(/[[\]!]/g, ''))
    needAll(of?.sql_source, readsUnder(`subscription ${name}`, injected))
  }
  return used
}

function readsUnder(place: string, reads: Readonly<Record<string, CompiledRead>>): Reads {
  return Object.values(reads).map((read) => [place, read] as const)
}
