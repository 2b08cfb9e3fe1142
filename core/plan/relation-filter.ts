import { jsonOf, jsonTypeof } from '../dialects/postgres/leaf.ts'
import type { FieldModel } from '../schema/model.ts'
import { allOf, identifier, qualified, type SqlFragment, sql } from '../sql/fragment.ts'
import { didYouMean, listNames } from '../util/nearest.ts'
import { inputError, nextAlias, type PlanContext } from './plan-context.ts'
import { entriesOf, type PlanValue } from './plan-value.ts'
import { relatedRow } from './related.ts'
import { documentRow, fieldValue, type Row } from './row.ts'
import { compileWhere, type Filterable } from './where.ts'

const QUANTIFIERS = ['some', 'every', 'none']

/**
 * A filter that crosses into objects: EXISTS for a single one, `some`, `every`, `none` for lists (decisions "Filters
 * over relations"), whether they are rows of another source or live in the document.
 */
export function filterOverObjects(
  context: PlanContext,
  field: FieldModel,
  row: Row,
  value: PlanValue,
  place: string,
  depth: number,
): SqlFragment | null {
  const type = field.named
  if (type.kind !== 'object' && type.kind !== 'interface') {
    throw inputError(context, place, `"${field.wireName}" cannot be filtered.`)
  }
  const scope = openScope(context, field, type, row)
  if (!field.list) {
    const inner = compileWhere(context, type, scope.row, value, place, depth)
    return exists(scope, inner === null ? null : sql`(${inner})`)
  }
  const entries = entriesOf(value, context.variables)
  if (entries === null) throw inputError(context, place, 'a filter over a list is an object of some, every, none.')
  const conditions: SqlFragment[] = []
  for (const [quantifier, member] of entries) {
    if (!QUANTIFIERS.includes(quantifier)) {
      const hint = didYouMean(quantifier, QUANTIFIERS)
      throw inputError(
        context,
        `${place}.${quantifier}`,
        `"${field.wireName}" is a list.${hint} Its filter takes ${listNames(QUANTIFIERS)}.`,
      )
    }
    if (member.sample === null) continue
    // Each quantifier ranges over rows of its own.
    const own = openScope(context, field, type, row)
    const inner = compileWhere(context, type, own.row, member, `${place}.${quantifier}`, depth + 1)
    if (quantifier === 'some') conditions.push(exists(own, inner === null ? null : sql`(${inner})`))
    else if (quantifier === 'none') conditions.push(sql`NOT ${exists(own, inner === null ? null : sql`(${inner})`)}`)
    else if (inner !== null) conditions.push(sql`NOT ${exists(own, sql`(${inner}) IS NOT TRUE`)}`)
  }
  return allOf(conditions)
}

/** Rows that a filter ranges over. */
interface Scope {
  readonly row: Row
  readonly from: SqlFragment | null
  /** What ties them to the outer row. */
  readonly tie: SqlFragment
}

function openScope(context: PlanContext, field: FieldModel, type: Filterable, row: Row): Scope {
  if (field.read?.from === 'relation') {
    const { target, tie } = relatedRow(context, field, field.read, row)
    const { source, alias } = target
    if (source === null || alias === null) throw new Error(`${field.name} leads to no source`)
    return { row: target, from: sql`${qualified(source.schema, source.name)} ${alias}`, tie }
  }
  const stored = fieldValue(row, field)
  if (stored === null) throw inputError(context, field.wireName, `${type.name} is not stored here.`)
  const { json, jsonb } = jsonOf(stored)
  if (!field.list) {
    return { row: documentRow(json, jsonb), from: null, tie: sql`${jsonTypeof(json, jsonb)} = 'object'` }
  }
  const alias = nextAlias(context)
  const element = sql`${alias}.${identifier('value')}`
  const array = sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'array' THEN ${json} END`
  const elements = jsonb ? sql`jsonb_array_elements(${array})` : sql`json_array_elements(${array})`
  return {
    row: documentRow(element, jsonb),
    from: sql`${elements} ${alias}(value)`,
    tie: sql`${jsonTypeof(element, jsonb)} = 'object'`,
  }
}

function exists(scope: Scope, condition: SqlFragment | null): SqlFragment {
  const all = condition === null ? scope.tie : sql`${scope.tie} AND ${condition}`
  return scope.from === null ? sql`coalesce(${all}, FALSE)` : sql`EXISTS (SELECT FROM ${scope.from} WHERE ${all})`
}
