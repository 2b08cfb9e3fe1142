import type { Condition } from '../../contract/plan/condition.ts'
import type { AbstractShape, Embedded, Guard, Member, Rows, Shape } from '../../contract/plan/read-plan.ts'
import { UNKNOWN_TYPE, UNKNOWN_TYPE_SIGN } from '../../engine/json/unknown-type.ts'
import { EMPTY, NULL, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import type { Projection, SqlMember } from '../sql-value.ts'
import { aggregateValue } from './aggregate.ts'
import { writeCondition } from './condition.ts'
import {
  type Emission,
  having,
  nextAlias,
  notNullItems,
  openSourceRow,
  placeObject,
  plainOf,
  sqlValueOf,
  watchLeaf,
  watchNulls,
} from './emission.ts'
import { fenceRelations } from './fence-relations.ts'
import { objectValue, subquery } from './object-value.ts'
import { relatedList } from './related-list.ts'
import { rowsFrom } from './rows.ts'

/**
 * Writes the SQL of the response object for a row, with all selected members. The row must already have an alias
 * (`openSourceRow`).
 */
export function projectShape(emission: Emission, shape: Shape): Projection {
  if (shape.kind === 'abstract') return emission.dialect.json(writeAbstract(emission, shape))
  return emission.dialect.object(shape.members.map((member) => writeMember(emission, member)))
}

/**
 * Writes the SQL of the response objects for the rows of a list or relation, and of the rows themselves.
 * @returns `value`: the object of a row; `from`: ` FROM …` of the rows; `guard`: ` HAVING …` that fails for too many
 * rows, `null`: no limit
 */
export function projectRows(emission: Emission, rows: Rows): ProjectedRows & { readonly guard: SqlFragment | null } {
  openSourceRow(emission, rows.row)
  const projection = projectShape(emission, rows.object)
  const { from, guard } = rowsFrom(emission, rows)
  return { value: projection.value, from: sql` FROM ${subquery(projection, from)}`, guard }
}

interface ProjectedRows {
  readonly value: SqlFragment
  readonly from: SqlFragment
}

/** Like {@link projectRows}, for rows that are not aggregated: one row, or the rows of a stream. */
export function projectEach(emission: Emission, rows: Rows): ProjectedRows {
  openSourceRow(emission, rows.row)
  const projection = projectShape(emission, rows.object)
  const { from } = rowsFrom(emission, rows)
  if (projection.flat !== undefined) return { value: projection.flat, from }
  return { value: projection.value, from: sql` FROM ${subquery(projection, from)}` }
}

/** Writes the SQL of one selected member of a response object, and records the checks that its value needs. */
export function writeMember(emission: Emission, { key, value: member }: Member): SqlMember {
  const { dialect } = emission
  switch (member.kind) {
    case 'typename':
      return { key, value: dialect.cast(dialect.literal(member.name), 'text'), nested: false, plain: true }
    case 'denied':
      return { key, value: dialect.cast(NULL, 'text'), nested: false }
    case 'guarded': {
      const { value } = writeMember(emission, { key, value: member.value })
      return { key, value: whenTrue(emission, member.when, value), nested: false }
    }
    case 'nothing':
      watchNulls(emission, key, member.type, null)
      return { key, value: dialect.cast(NULL, 'text'), nested: false }
    case 'leaf': {
      const value = sqlValueOf(emission, member.value)
      watchNulls(emission, key, member.field.type, value)
      watchLeaf(emission, member.field, value)
      return { key, value: dialect.leaf(member.field, value), nested: false }
    }
    case 'toOne': {
      if (!member.nullable) emission.nulls.add(`"${key}":null`)
      const { value, from } = projectEach(emission, member.rows)
      return { key, value: sql`(SELECT ${value}${from})`, nested: true }
    }
    // The rows are items of a list, and never null.
    case 'toMany': {
      openSourceRow(emission, member.rows.row)
      const projection = projectShape(emission, member.rows.object)
      return { key, value: relatedList(emission, member.rows, projection), nested: true }
    }
    case 'aggregate':
      return { key, value: aggregateValue(emission, member.of), nested: true }
    case 'embedded': {
      const value = sqlValueOf(emission, member.value)
      watchNulls(emission, key, member.type, value)
      // A document may contain any other JSON instead of the object.
      emission.unproven = true
      const { json, jsonb } = dialect.jsonOf(value)
      return { key, value: writeItem(emission, member, member.type, json, jsonb), nested: true }
    }
  }
}

/**
 * Writes SQL that returns the value if a condition is true, and otherwise NULL, for fields that are visible in some
 * rows only.
 */
export function whenTrue(emission: Emission, when: Condition, value: SqlFragment): SqlFragment {
  const condition = fenceRelations(emission, [when], () => writeCondition(emission, when))
  return sql`CASE WHEN ${condition} THEN ${value} END`
}

/** An embedded object, or a list of them at any depth. */
function writeItem(
  emission: Emission,
  embedded: Embedded,
  type: TypeRef,
  json: SqlFragment,
  jsonb: boolean,
): SqlFragment {
  const { dialect } = emission
  if (type.kind === 'named') {
    placeObject(emission, embedded.row, json)
    // A missing parent is null, not an object of nulls.
    return dialect.orAsItIs(json, jsonb, 'object', objectValue(projectShape(emission, embedded.object), EMPTY))
  }
  const alias = nextAlias(emission)
  const element = writeItem(emission, embedded, type.of, dialect.item(alias), jsonb)
  const guard = embedded.guard === null ? null : boundOf(emission, embedded.guard)
  return dialect.listOfItems(json, jsonb, alias, element, guard)
}

function boundOf(emission: Emission, guard: Guard): { readonly most: number; readonly having: SqlFragment } {
  return { most: guard.most, having: having(emission, guard) }
}

/** Writes one JSON expression per concrete type. An unknown type name gives a text, which the completion of the answer rejects. */
function writeAbstract(emission: Emission, shape: AbstractShape): SqlFragment {
  const { dialect } = emission
  const name = sqlValueOf(emission, shape.typeColumn)
  notNullItems(emission)
  emission.nulls.add(UNKNOWN_TYPE_SIGN)
  const text = name.from === 'column' ? dialect.cast(name.sql, 'text') : plainOf(name)
  let cases = sql`CASE ${text}`
  for (const { typeName, object } of shape.possible) {
    const projection = projectShape(emission, object)
    const json =
      projection.flat === undefined
        ? sql`(SELECT ${dialect.asJson(projection.value)} FROM ${subquery(projection, EMPTY)})`
        : dialect.asJson(projection.flat)
    cases = sql`${cases} WHEN ${dialect.literal(typeName)} THEN ${json}`
  }
  for (const typeName of shape.denied) cases = sql`${cases} WHEN ${dialect.literal(typeName)} THEN NULL`
  const unknown = sql`${dialect.literal(UNKNOWN_TYPE)} || coalesce(${text}, '')`
  return sql`${cases} ELSE ${dialect.textAsJson(unknown)} END`
}
