import { jsonOf, jsonTypeof } from '../dialects/postgres/leaf.ts'
import type { AbstractSelection, ObjectSelection } from '../front/operation.ts'
import type { FieldModel } from '../schema/model.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import { integer, type SqlFragment, sql } from '../sql/fragment.ts'
import { maxRowsGuard } from './page.ts'
import { nextAlias, type PlanContext } from './plan-context.ts'
import { documentRow, type RowValue } from './row.ts'
import { objectValue, project } from './selection.ts'

/** Objects that live in their parent's document. */
export function embeddedValue(
  context: PlanContext,
  field: FieldModel,
  selection: ObjectSelection | AbstractSelection,
  value: RowValue,
): SqlFragment {
  const { named } = field
  const typeColumn = named.kind === 'interface' || named.kind === 'union' ? named.typeColumn : '__typename'
  const { json, jsonb } = jsonOf(value)
  return itemValue(context, field.type, selection, typeColumn, json, jsonb)
}

function itemValue(
  context: PlanContext,
  type: TypeRef,
  selection: ObjectSelection | AbstractSelection,
  typeColumn: string,
  json: SqlFragment,
  jsonb: boolean,
): SqlFragment {
  if (type.kind === 'named') {
    const projection = project(context, selection, documentRow(json, jsonb), typeColumn)
    // A missing parent is null, not an object of nulls.
    return objectValue(projection, sql` WHERE ${jsonTypeof(json, jsonb)} = 'object'`)
  }
  const alias = nextAlias(context)
  const array = sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'array' THEN ${json} END`
  const elements = jsonb ? sql`jsonb_array_elements(${array})` : sql`json_array_elements(${array})`
  const item = itemValue(context, type.of, selection, typeColumn, sql`${alias}.v`, jsonb)
  const element = type.of.kind === 'list' ? sql`to_json(${item})` : item
  const rows = sql`SELECT ${element} AS v FROM ${elements} WITH ORDINALITY ${alias}(v, n) ORDER BY ${alias}.n`
  const { maxRows } = context.settings
  const list =
    maxRows === 0
      ? sql`ARRAY(${rows})`
      : sql`(SELECT coalesce(array_agg(l.v), '{}') FROM (${rows} LIMIT ${integer(maxRows + 1)}) l${maxRowsGuard(context)})`
  return sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'array' THEN ${list} END`
}
