import type {
  Condition,
  ExistsCondition,
  JoinRows,
  RelatedRows,
  Tie,
  TiedValues,
} from '../../contract/plan/condition.ts'
import { authored, EMPTY, FALSE, join, type SqlFragment, sql, TRUE } from '../../engine/sql/fragment.ts'
import type { OperatorId } from '../../schema/operators/operator.ts'
import { type Emission, nextAlias, openSourceRow, placeObject, plainOf, sourceOf, sqlValueOf } from './emission.ts'
import { fenceRelations } from './fence-relations.ts'
import { comparableOf, operandOf, operator } from './operands.ts'

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

/** Writes the condition that joins related rows to their parent: equal keys, or a row of the join table between them. */
export function writeTie(emission: Emission, tie: Tie): SqlFragment {
  return tie.through === undefined ? writeEquals(emission, pairsOf(tie)) : writeThrough(emission, tie, tie.through)
}

/**
 * Writes the values of related rows as a subquery of the join source. Unlike a join, it repeats no row, and both databases begin with the
 * rows that it finds.
 */
function writeThrough(emission: Emission, tie: Tie, { row, rules, pairs }: JoinRows): SqlFragment {
  const inner = pairs.map((pair) => plainOf(sqlValueOf(emission, pair.inner)))
  openSourceRow(emission, row)
  const conditions = withJoins(emission, null, () => [
    writeEquals(emission, pairsOf(tie)),
    ...fenceRelations(emission, rules, () => rules.map((rule) => writeCondition(emission, rule))),
  ])
  const outer = pairs.map((pair) => outerValue(emission, pair))
  const values = sql`SELECT ${join(outer, ', ')} FROM ${sourceOf(emission, row)} WHERE ${join(conditions, ' AND ')}`
  return sql`${inner.length === 1 ? inner[0]! : sql`(${join(inner, ', ')})`} IN (${values})`
}

/** Writes the equality of two keys, column by column. */
function writeEquals(emission: Emission, pairs: readonly TiedValues[]): SqlFragment {
  const equals = pairs.map((pair) => {
    const left = plainOf(sqlValueOf(emission, pair.inner))
    return sql`${left} = ${outerValue(emission, pair)}`
  })
  return join(equals, ' AND ')
}

/** Returns all pairs of values of a tie. */
function pairsOf(tie: Tie): readonly TiedValues[] {
  return tie.also === undefined ? [tie] : [tie, ...tie.also]
}

/** Writes the outer value of a pair, which may come from a document, in the type of the inner value. */
function outerValue(emission: Emission, { outer, type }: TiedValues): SqlFragment {
  const own = sqlValueOf(emission, outer)
  const { dialect } = emission
  if (own.from === 'column') return type === 'text' && own.type !== 'text' ? dialect.cast(own.sql, 'text') : own.sql
  return type === null || type === 'text' ? own.text : dialect.documentKey(own, type)
}

/** Writes both sides of each pair of key columns that joins related rows (`inner`) to their parent (`outer`). */
export function tiedColumns(
  emission: Emission,
  tie: Tie,
): readonly { readonly inner: SqlFragment; readonly outer: SqlFragment }[] {
  return pairsOf(tie).map((pair) => ({
    inner: plainOf(sqlValueOf(emission, pair.inner)),
    outer: outerValue(emission, pair),
  }))
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
  if (joins === null || !optional || quantifier !== 'some' || over.kind !== 'rows') return false
  return over.tie.by === undefined && over.tie.through === undefined
}

/**
 * Writes related rows as a join. For an EXISTS inside an OR, PostgreSQL has no statistics: it assumes that it is true for half of all
 * rows, and scans the outer table. For a join it has statistics. Duplicate rows do no harm here, because one match is sufficient.
 */
function writeJoined(emission: Emission, { over, condition }: ExistsCondition): SqlFragment {
  const { row, rules, tie } = over as RelatedRows
  openSourceRow(emission, row)
  const on = withJoins(emission, null, () => [
    writeEquals(emission, pairsOf(tie)),
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
    const { through } = over.tie
    if (through !== undefined) openSourceRow(emission, through.row)
    const rules = [...(through?.rules ?? []), ...over.rules].map((rule) => writeCondition(emission, rule))
    const conditions = [writeEquals(emission, pairsOf(over.tie)), ...rules]
    const from = sourceOf(emission, over.row)
    if (through === undefined) return { from, conditions }
    const on = writeEquals(emission, through.pairs)
    return { from: sql`${sourceOf(emission, through.row)} JOIN ${from} ON ${on}`, conditions }
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
