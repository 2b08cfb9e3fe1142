import type { Tie, TiedValues } from '../../../contract/plan/condition.ts'
import type { RowRef, SourceRow, StoredValue } from '../../../contract/plan/stored-value.ts'
import type { CompiledPair, CompiledRead, CompiledSource, CompiledThrough } from '../../../schema/compiled.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'
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
  const opened = openRelated(context, field, read)
  const { also = NO_PAIRS, through } = read
  const join = through === undefined ? null : openJoin(context, through)
  const next = join?.row ?? opened.row
  const tie = tiedValues(next, read, row)
  const others = also.map((pair) => tiedValues(next, pair, row))
  return {
    ...opened,
    tie: {
      ...tie,
      ...(others.length === 0 ? {} : { also: others }),
      ...(join === null || through === undefined
        ? {}
        : { through: { ...join, pairs: through.pairs.map((pair) => tiedValues(opened.row, pair, join.row)) } }),
    },
  }
}

const NO_PAIRS: readonly CompiledPair[] = Object.freeze([])

/** Returns the two values of a pair: that of the row which the pair ends at, and that of the row which it starts from. */
function tiedValues(end: SourceRow, pair: CompiledPair, start: RowRef): TiedValues {
  const inner = columnOrKey(end, pair.to_column, pair.column_type)
  return { inner, outer: ownKey(start, pair), type: inner.from === 'column' ? inner.type : 'text' }
}

/** Adds the rows of a join table to a plan, with the access rules of all types with these rows. */
function openJoin(context: PlanContext, { source: name, types = [] }: CompiledThrough): OpenedRows {
  const source = context.schema.sources.get(name)
  if (source === undefined) throw new Error(`"${name}" is no source`)
  const every = types.map((type) => context.schema.types.get(type) as ObjectType)
  const document = every.find((type) => type.document !== null)?.document ?? null
  return openRows(context, { every }, source, document, null)
}

/** Adds the rows that a relation leads to to a plan, with their access rules, without joining them to a parent row. */
export function openRelated(context: PlanContext, field: FieldModel, read: RelationRead): OpenedRows {
  const { named } = field
  if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') {
    throw new Error(`${field.name} is no relation to rows`)
  }
  const of = { named, typeColumn: named.kind === 'object' ? '__typename' : named.typeColumn }
  const source = relatedSource(context, field, read)
  return openRows(context, of, source, named.kind === 'object' ? named.document : null, null)
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
