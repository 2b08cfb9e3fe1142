import type {
  Condition,
  ExistsCondition,
  Operand,
  RelatedRows,
  Tie,
  TiedValues,
} from '../../contract/plan/condition.ts'
import type { Target } from '../../contract/plan/stored-value.ts'
import {
  authored,
  EMPTY,
  FALSE,
  join,
  NULL,
  parameter,
  type SqlFragment,
  sql,
  TRUE,
} from '../../engine/sql/fragment.ts'
import type { OperatorId } from '../../schema/operators/operator.ts'
import type { Comparable, EmitOperator, SqlOperand } from '../sql-value.ts'
import { type Emission, nextAlias, openSourceRow, placeObject, plainOf, sourceOf, sqlValueOf } from './emission.ts'
import { fenceRelations } from './fence-relations.ts'

/** Converts a condition of a plan (a filter, a rule, keys) to a boolean SQL expression. */
export function writeCondition(emission: Emission, condition: Condition): SqlFragment {
  switch (condition.kind) {
    case 'all':
      return writeAll(emission, condition.conditions)
    case 'group': {
      const parts = writeAlternatives(emission, condition)
      return sql`(${join(parts, condition.joint === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return sql`NOT (${withJoins(emission, null, () => writeCondition(emission, condition.condition))})`
    case 'constant':
      return condition.holds ? TRUE : FALSE
    case 'compare': {
      if (isSelective(condition)) emission.selective = true
      const target = comparableOf(emission, condition.target)
      return operator(emission, condition.operator)(target, operandOf(emission, target, condition.operand))
    }
    case 'exists':
      return isJoined(emission, condition) ? writeJoined(emission, condition) : writeExists(emission, condition)
    case 'quantifiers':
      // The list has a number, and each range over its items has a number of its own.
      nextAlias(emission)
      return withJoins(emission, null, () => writeAll(emission, condition.conditions))
    case 'authored':
      if (condition.parts.some((part) => typeof part !== 'string')) emission.selective = true
      // The line break ends a comment that the author's SQL may end with.
      return sql`(${authored(condition.parts)}\n)`
  }
}

/**
 * Tests whether the number of matching rows depends on the value. An equality of a key is not selective in this sense: it leaves one row.
 */
function isSelective({ operator, target, operand }: Extract<Condition, { kind: 'compare' }>): boolean {
  if (operand.kind === 'boolean') return false
  const { value } = target
  if (value.from !== 'column' || (operator !== '_eq' && operator !== '_in')) return true
  const { key, columns } = value.row.source
  if (key.length === 1 && key[0] === value.name) return false
  return columns.find(({ name }) => name === value.name)?.unique !== true
}

function writeAll(emission: Emission, conditions: readonly Condition[]): SqlFragment {
  return join(
    conditions.map((condition) => writeCondition(emission, condition)),
    ' AND ',
  )
}

/**
 * Returns the function that writes a filter operator in the SQL of the dialect.
 * @throws Error if the dialect has no such operator. The compiler does not offer it in that case
 */
export function operator(emission: Emission, id: string): EmitOperator {
  const emit = emission.dialect.operators.get(id)
  if (emit === undefined) throw new Error(`The dialect has no operator ${id}`)
  return emit
}

export function comparableOf(emission: Emission, target: Target): Comparable {
  return emission.dialect.comparable(target, sqlValueOf(emission, target.value))
}

export function operandOf(emission: Emission, target: Comparable, operand: Operand): SqlOperand {
  switch (operand.kind) {
    case 'boolean':
      return { sql: NULL, yes: operand.yes }
    case 'field':
      return { sql: target.operand(parameter(operand.slot)), yes: false }
    case 'list':
      return { sql: target.list(parameter(operand.slot)), yes: false }
    default:
      return { sql: emission.dialect.operand(operand.kind, parameter(operand.slot)), yes: false }
  }
}

/** Writes the condition that joins related rows to their parent: equality of each pair of key columns. */
export function writeTie(emission: Emission, tie: Tie): SqlFragment {
  return join(
    tiedColumns(emission, tie).map(({ inner, outer }) => sql`${inner} = ${outer}`),
    ' AND ',
  )
}

/** Writes both sides of each pair of key columns that joins related rows (`inner`) to their parent (`outer`). */
export function tiedColumns(
  emission: Emission,
  tie: Tie,
): readonly { readonly inner: SqlFragment; readonly outer: SqlFragment }[] {
  return [tie, ...(tie.also ?? [])].map((pair) => tiedPair(emission, pair))
}

/** Writes two equal values, one of which may come from a document. */
function tiedPair(emission: Emission, { inner, outer, type }: TiedValues) {
  const { dialect } = emission
  const left = plainOf(sqlValueOf(emission, inner))
  const own = sqlValueOf(emission, outer)
  if (own.from === 'column') {
    return { inner: left, outer: type === 'text' && own.type !== 'text' ? dialect.cast(own.sql, 'text') : own.sql }
  }
  return { inner: left, outer: type === null || type === 'text' ? own.text : dialect.cast(own.text, type) }
}

function writeExists(emission: Emission, { quantifier, over, condition }: ExistsCondition): SqlFragment {
  if (over.kind === 'rows' && over.tie.by !== undefined) return writeAmong(emission, over, over.tie.by, condition)
  const { dialect } = emission
  const { from, all } = fenceRelations(emission, inside(over, condition), () => {
    const joins: SqlFragment[] = []
    const parts = withJoins(emission, over.kind === 'rows' && !emission.fencing ? joins : null, () => {
      const range = openRange(emission, over)
      const inner = condition === null ? null : writeCondition(emission, condition)
      const wanted = inner === null ? null : quantifier === 'every' ? sql`(${inner}) IS NOT TRUE` : sql`(${inner})`
      return { from: range.from, all: wanted === null ? range.conditions : [...range.conditions, wanted] }
    })
    const from = parts.from && joins.reduce((tables, each) => sql`${tables} ${each}`, parts.from)
    return { from, all: join(parts.all, ' AND ') }
  })
  const fence = emission.fencing && over.kind === 'rows' ? dialect.fence : EMPTY
  const found = from === null ? sql`coalesce(${all}, FALSE)` : dialect.exists(sql`${from} WHERE ${all}${fence}`)
  return quantifier === 'some' ? found : sql`NOT ${found}`
}

function inside(over: ExistsCondition['over'], condition: Condition | null): readonly (Condition | null)[] {
  return over.kind === 'rows' ? [...over.rules, condition] : [condition]
}

/** Writes the alternatives of a group, each in parentheses. */
function writeAlternatives(
  emission: Emission,
  { joint, conditions }: Extract<Condition, { kind: 'group' }>,
): readonly SqlFragment[] {
  const outer = emission.optional
  if (joint === 'or' && conditions.length > 1) emission.optional = true
  const parts = conditions.map((part) => sql`(${writeCondition(emission, part)})`)
  emission.optional = outer
  return parts
}

/** Writes conditions. @param joins receives the joins of their related rows; `null`: related rows are not joined */
function withJoins<T>(emission: Emission, joins: SqlFragment[] | null, write: () => T): T {
  const { joins: outer, optional } = emission
  emission.joins = joins
  emission.optional = false
  const written = write()
  emission.joins = outer
  emission.optional = optional
  return written
}

/** Tests whether the condition on related rows is one of several alternatives. Its rows are then joined instead of tested by EXISTS. */
function isJoined({ joins, optional }: Emission, { quantifier, over }: ExistsCondition): boolean {
  return joins !== null && optional && quantifier === 'some' && over.kind === 'rows' && over.tie.by === undefined
}

/**
 * Writes related rows as a join. For an EXISTS inside an OR, PostgreSQL has no statistics: it assumes that it is true for half of all
 * rows, and scans the outer table. For a join it has statistics. Duplicate rows do no harm here, because one match is sufficient.
 */
function writeJoined(emission: Emission, { over, condition }: ExistsCondition): SqlFragment {
  const { row, rules, tie } = over as RelatedRows
  openSourceRow(emission, row)
  const on = withJoins(emission, null, () => [
    writeTie(emission, tie),
    ...rules.map((rule) => writeCondition(emission, rule)),
  ])
  emission.joins!.push(sql`LEFT JOIN ${sourceOf(emission, row)} ON ${join(on, ' AND ')}`)
  const isThere = sql`${plainOf(sqlValueOf(emission, tie.inner))} IS NOT NULL`
  return condition === null ? sql`(${isThere})` : sql`(${isThere} AND (${writeCondition(emission, condition)}))`
}

/** Writes the comparison of the outer value with the values of the related rows. */
function writeAmong(
  emission: Emission,
  { row, rules, tie }: RelatedRows,
  by: OperatorId,
  condition: Condition | null,
): SqlFragment {
  const outer = plainOf(sqlValueOf(emission, tie.outer))
  openSourceRow(emission, row)
  const all = [...rules, ...(condition === null ? [] : [condition])]
  const conditions = fenceRelations(emission, all, () => all.map((each) => writeCondition(emission, each)))
  const inner = plainOf(sqlValueOf(emission, tie.inner))
  const where = conditions.length === 0 ? TRUE : join(conditions, ' AND ')
  const values = sql`SELECT ${inner} FROM ${sourceOf(emission, row)} WHERE ${where}`
  return operator(emission, by)({ value: outer, text: outer }, { sql: values, yes: true })
}

/**
 * Starts the subquery of a condition on related rows or on items of a JSON list. `from` is the text after FROM; `null`:
 * an embedded object, which needs no FROM. `conditions` join the rows to the outer row and apply access rules.
 */
export function openRange(
  emission: Emission,
  over: ExistsCondition['over'],
): { readonly from: SqlFragment | null; readonly conditions: readonly SqlFragment[] } {
  const { dialect } = emission
  if (over.kind === 'rows') {
    openSourceRow(emission, over.row)
    const rules = over.rules.map((rule) => writeCondition(emission, rule))
    return { from: sourceOf(emission, over.row), conditions: [writeTie(emission, over.tie), ...rules] }
  }
  const { json, jsonb } = dialect.jsonOf(sqlValueOf(emission, over.value))
  if (!over.list) {
    placeObject(emission, over.row, json)
    return { from: null, conditions: [dialect.isJson(json, jsonb, 'object')] }
  }
  const { from, item } = dialect.itemRows(json, jsonb, nextAlias(emission))
  placeObject(emission, over.row, item)
  return { from, conditions: [dialect.isJson(item, jsonb, 'object')] }
}
