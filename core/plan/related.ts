import type { CompiledRead, CompiledSource } from '../schema/compiled.ts'
import type { FieldModel } from '../schema/model.ts'
import { cast, type SqlFragment, sql } from '../sql/fragment.ts'
import type { PlanContext } from './plan-context.ts'
import { columnOf, columnOrKey, columnValue, documentValue, openRow, type Row } from './row.ts'

export type RelationRead = Extract<CompiledRead, { from: 'relation' }>

/**
 * Opens the source that a relation leads to.
 * @returns its row, and the condition that ties it to the outer row
 */
export function relatedRow(
  context: PlanContext,
  field: FieldModel,
  read: RelationRead,
  row: Row,
): { readonly target: Row; readonly tie: SqlFragment } {
  const { named } = field
  const source = relatedSource(context, field, read)
  const documentName = named.kind === 'object' ? named.document : null
  const target = openRow(context, source, documentName)
  const to = columnOrKey(target, read.to_column, read.column_type)
  const left = to.from === 'column' ? to.sql : to.text
  return { target, tie: sql`${left} = ${ownKey(row, read, to.from === 'column' ? to.type : 'text')}` }
}

export function relatedSource(context: PlanContext, field: FieldModel, read: RelationRead): CompiledSource {
  const { named } = field
  const own = named.kind === 'object' || named.kind === 'interface' || named.kind === 'union' ? named.source : null
  const source = context.schema.sources.get(read.target) ?? own
  if (source === null) throw new Error(`${field.name} leads to "${read.target}", which is no source`)
  return source
}

/** Our side of the relation, in the type of the other side when it comes out of a document. */
function ownKey(row: Row, read: RelationRead, type: string | null): SqlFragment {
  const native =
    row.alias !== null &&
    row.source !== null &&
    read.from_document === undefined &&
    (row.source.columns.length === 0 || columnOf(row.source, read.from_column) !== undefined)
  if (native) {
    const value = columnValue(row, read.from_column, read.column_type, false)
    if (value.from === 'column') return type === 'text' && value.type !== 'text' ? cast(value.sql, 'text') : value.sql
  }
  const value = documentValue(row, read.from_column)
  if (value.from !== 'document') throw new Error('A document value comes from a document')
  const target = type ?? read.column_type
  return target === null || target === 'text' ? value.text : cast(value.text, target)
}
