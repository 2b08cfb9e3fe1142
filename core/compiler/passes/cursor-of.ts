import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import type { CatalogRelation } from '../../contract/database.ts'
import type { CompiledType } from '../../schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext, TypeSource } from '../ground/context.ts'
import type { NamedElement } from '../ground/type-index.ts'
import { columnOf } from './describe-source.ts'

type Cursor = NonNullable<CompiledType['cursor']>
type ObjectElement = Extract<NamedElement, { kind: 'object' }>

/**
 * Finds the columns by which the pages of a relay type are sorted: the declared key, `pk_<entity>`, or a key that the
 * catalog proves to be unique.
 * @returns `undefined`: none of them exists
 */
export function cursorOf(context: CompileContext, typeName: string): Cursor | undefined {
  const where = context.typeSources.get(typeName)
  const named = context.index.get(typeName)
  if (where?.source == null || named?.kind !== 'object') return undefined
  const columns = keyColumns(context, named, where)
  const [column] = columns
  if (column === undefined) return undefined
  const source = context.sources.get(where.source)
  const native = source === undefined ? null : columnOf(source, column)
  const document = native === null && where.document !== null ? { document: where.document } : {}
  const head = { column, column_type: native?.type ?? null, ...document }
  if (context.catalog === null) return columns.length === 1 ? head : { ...head, by: columns }
  return { ...head, ...orderOf(pagedRelations(context, typeName), columns, named) }
}

/** Returns the declared key, `pk_{entity}`, or a key that the catalog proves to be unique. */
function keyColumns(context: CompileContext, { name, element }: ObjectElement, where: TypeSource): readonly string[] {
  const source = context.sources.get(where.source!)
  if (source === undefined) return []
  if (element.key !== undefined) return typeof element.key === 'string' ? [element.key] : element.key
  const usual = `pk_${toSnakeCase(name)}`
  if (context.catalog === null || columnOf(source, usual) !== null) return [usual]
  if (where.document !== null && element.fields.some((field) => toSnakeCase(field.name) === usual)) return [usual]
  const relation = context.catalog.relations.get(where.source!)
  if (relation === undefined) return []
  if (relation.primaryKey.length > 0) return relation.primaryKey
  const proven = relation.columns.filter(({ notNull, unique }) => notNull && unique).map((column) => column.name)
  const id = idOf(element)
  return proven.length === 1 ? proven : proven.filter((column) => column === id)
}

/**
 * Completes the order of pages. Rows with equal keys, or a null key, would be missing from pages. If the catalog does
 * not prove that the key is unique and not null, the id is added to the order, and then a digest of the row.
 */
function orderOf(
  relations: readonly CatalogRelation[],
  columns: readonly string[],
  { element }: ObjectElement,
): Pick<Cursor, 'tie' | 'by' | 'digest'> {
  const id = idOf(element)
  const all = (proven: (relation: CatalogRelation) => boolean): boolean => relations.every(proven)
  const isNotNull = all((relation) => columns.every((column) => isProven(relation, column, 'notNull')))
  const isUnique =
    element.key !== undefined ||
    all(
      (relation) =>
        columns.some((column) => isProven(relation, column, 'unique')) ||
        (relation.primaryKey.length > 0 && relation.primaryKey.every((column) => columns.includes(column))),
    )
  if (isNotNull && isUnique) return columns.length === 1 ? {} : { by: columns }
  const tells = (column: string): boolean =>
    all((relation) => isProven(relation, column, 'unique') && isProven(relation, column, 'notNull'))
  const ties = id === null || columns.includes(id) ? [] : [id]
  const isTold = ties.some(tells)
  if (isNotNull && isTold && columns.length === 1) return { tie: ties[0]! }
  const isPromised = element.key !== undefined && isNotNull
  return { by: [...columns, ...ties], ...(isTold || isPromised ? {} : { digest: true }) }
}

function isProven(relation: CatalogRelation, name: string, what: 'notNull' | 'unique'): boolean {
  return relation.columns.find((column) => column.name === name)?.[what] === true
}

/** Returns the column, or key of the document, of the field `id`. */
function idOf(element: ObjectElement['element']): string | null {
  const id = element.fields.find((field) => toWireName(field.name) === 'id')
  return id === undefined ? null : (id.column ?? toSnakeCase(id.name))
}

/** Returns the relations that connections of the type read. */
function pagedRelations(
  { catalog, schema, typeSources }: CompileContext,
  typeName: string,
): readonly CatalogRelation[] {
  const own = typeSources.get(typeName)?.source ?? null
  const paged = (schema.queries ?? []).filter((query) => {
    const ref = query.relay === true ? parseTypeRef(query.type) : null
    return ref !== null && namedTypeOf(ref).name === typeName
  })
  const names = new Set([own, ...paged.map((query) => query.sql_source ?? own)])
  return [...names].flatMap((name) => (name === null ? [] : (catalog?.relations.get(name) ?? [])))
}
