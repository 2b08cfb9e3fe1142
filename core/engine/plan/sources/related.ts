import type { Tie, TiedValues } from '../../../contract/plan/condition.ts'
import type { RowRef, StoredValue } from '../../../contract/plan/stored-value.ts'
import type { CompiledPair, CompiledRead, CompiledSource } from '../../../schema/compiled.ts'
import type { FieldModel } from '../../../schema/model.ts'
import type { PlanContext } from '../context/plan-context.ts'
import { columnOrKey, columnValue, documentValue, hasColumn } from '../values/stored.ts'
import { type OpenedRows, openRows } from './open-rows.ts'

export type RelationRead = Extract<CompiledRead, { from: 'relation' }>

/**
 * Adds the rows of a relation to a plan, with their access rules and the condition that joins them to the parent row.
 * @param row the parent row
 * @throws Error if the rows are in another database, because they are read separately
 */
export function relatedRows(
  context: PlanContext,
  field: FieldModel,
  read: RelationRead,
  row: RowRef,
): OpenedRows & { readonly tie: Tie } {
  if (read.across === true && context.settings.of !== undefined) {
    throw new Error(`${context.path.join('.')} leads into another database, and was to be read in this one`)
  }
  const { inner, ...opened } = openRelated(context, field, read)
  const tied = (there: StoredValue, pair: CompiledPair): TiedValues => ({
    inner: there,
    outer: ownKey(row, pair),
    type: there.from === 'column' ? there.type : 'text',
  })
  const { also = NO_PAIRS } = read
  const tie = tied(inner, read)
  if (also.length === 0) return { ...opened, tie }
  const others = also.map((pair) => tied(columnOrKey(opened.row, pair.to_column, pair.column_type), pair))
  return { ...opened, tie: { ...tie, also: others } }
}

const NO_PAIRS: readonly CompiledPair[] = Object.freeze([])

/**
 * Adds the rows that a relation leads to to a plan, with their access rules, without joining them to a parent row.
 * @returns `inner`: the column, or key of a document, that the relation compares with the parent row
 */
export function openRelated(
  context: PlanContext,
  field: FieldModel,
  read: RelationRead,
): OpenedRows & { readonly inner: StoredValue } {
  const { named } = field
  if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') {
    throw new Error(`${field.name} is no relation to rows`)
  }
  const of = { named, typeColumn: named.kind === 'object' ? '__typename' : named.typeColumn }
  const source = relatedSource(context, field, read)
  const opened = openRows(context, of, source, named.kind === 'object' ? named.document : null, null)
  return { ...opened, inner: columnOrKey(opened.row, read.to_column, read.column_type) }
}

function relatedSource(context: PlanContext, field: FieldModel, read: RelationRead): CompiledSource {
  const { named } = field
  const own = named.kind === 'object' || named.kind === 'interface' || named.kind === 'union' ? named.source : null
  const source = context.schema.sources.get(read.target) ?? own
  if (source === null) throw new Error(`${field.name} leads to "${read.target}", which is no source`)
  return source
}

/** Returns the value of the starting row in a pair of compared columns. */
function ownKey(row: RowRef, read: CompiledPair): StoredValue {
  const native = read.from_document === undefined && hasColumn(row, read.from_column)
  return native ? columnValue(row, read.from_column, read.column_type, false) : documentValue(row, read.from_column)
}
