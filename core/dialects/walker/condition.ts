import type {
  Condition,
  ExistsCondition,
  Operand,
  RelatedRows,
  Tie,
  TiedValues,
} from '../../plan/conditions/condition.ts'
import type { OperatorId } from '../../plan/conditions/operator.ts'
import type { Target } from '../../plan/rows/stored-value.ts'
import { authored, EMPTY, FALSE, join, NULL, parameter, type SqlFragment, sql, TRUE } from '../../sql/fragment.ts'
import type { Comparable, EmitOperator, SqlOperand } from '../sql-value.ts'
import { type Emission, nextAlias, openSourceRow, placeObject, plainOf, sourceOf, sqlValueOf } from './emission.ts'
import { fenceRelations } from './fence-relations.ts'

/** A condition over rows that are open. */
export function writeCondition(emission: Emission, condition: Condition): SqlFragment {
  switch (condition.kind) {
    case 'all':
      return writeAll(emission, condition.conditions)
    case 'group': {
      const parts = condition.conditions.map((part) => sql`(${writeCondition(emission, part)})`)
      return sql`(${join(parts, condition.joint === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return sql`NOT (${writeCondition(emission, condition.condition)})`
    case 'constant':
      return condition.holds ? TRUE : FALSE
    case 'compare': {
      if (isSelective(condition)) emission.selective = true
      const target = comparableOf(emission, condition.target)
      return operator(emission, condition.operator)(target, operandOf(emission, target, condition.operand))
    }
    case 'exists':
      return writeExists(emission, condition)
    case 'quantifiers':
      // The list has a number, and each range over it one of its own.
      nextAlias(emission)
      return writeAll(emission, condition.conditions)
    case 'authored':
      if (condition.parts.some((part) => typeof part !== 'string')) emission.selective = true
      // The line break ends a comment that the author may have left at the end.
      return sql`(${authored(condition.parts)}\n)`
  }
}

/** May it leave few rows or many, depending on the value? Not where a key is equal to one: that leaves one row. */
function isSelective({ operator, target, operand }: Extract<Condition, { kind: 'compare' }>): boolean {
  if (operand.kind === 'boolean') return false
  const { value } = target
  if (value.from !== 'column' || (operator !== '_eq' && operator !== '_in')) return true
  const { key } = value.row.source
  return key.length !== 1 || key[0] !== value.name
}

function writeAll(emission: Emission, conditions: readonly Condition[]): SqlFragment {
  return join(
    conditions.map((condition) => writeCondition(emission, condition)),
    ' AND ',
  )
}

/** @throws Error when the dialect lacks the operator: then nobody may have advertised it */
export function operator(emission: Emission, id: string): EmitOperator {
  const emit = emission.dialect.operators.get(id)
  if (emit === undefined) throw new Error(`The dialect has no operator ${id}`)
  return emit
}

export function comparableOf(emission: Emission, target: Target): Comparable {
  return emission.dialect.comparable(target, sqlValueOf(emission, target.value))
}

function operandOf(emission: Emission, target: Comparable, operand: Operand): SqlOperand {
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

/** The equality of two keys, column by column. */
export function writeTie(emission: Emission, tie: Tie): SqlFragment {
  const first = writeEqual(emission, tie)
  if (tie.also === undefined) return first
  return join([first, ...tie.also.map((pair) => writeEqual(emission, pair))], ' AND ')
}

/** The equality of two values, one of which may come out of a document. */
function writeEqual(emission: Emission, { inner, outer, type }: TiedValues): SqlFragment {
  const left = plainOf(sqlValueOf(emission, inner))
  const own = sqlValueOf(emission, outer)
  const { dialect } = emission
  if (own.from === 'column') {
    return sql`${left} = ${type === 'text' && own.type !== 'text' ? dialect.cast(own.sql, 'text') : own.sql}`
  }
  return sql`${left} = ${type === null || type === 'text' ? own.text : dialect.cast(own.text, type)}`
}

function writeExists(emission: Emission, { quantifier, over, condition }: ExistsCondition): SqlFragment {
  if (over.kind === 'rows' && over.tie.by !== undefined) return writeAmong(emission, over, over.tie.by, condition)
  const { dialect } = emission
  const { from, all } = fenceRelations(emission, inside(over, condition), () => {
    const range = openRange(emission, over)
    const inner = condition === null ? null : writeCondition(emission, condition)
    const wanted = inner === null ? null : quantifier === 'every' ? sql`(${inner}) IS NOT TRUE` : sql`(${inner})`
    const parts = wanted === null ? range.conditions : [...range.conditions, wanted]
    return { from: range.from, all: join(parts, ' AND ') }
  })
  const fence = emission.fencing && over.kind === 'rows' ? dialect.fence : EMPTY
  const found = from === null ? sql`coalesce(${all}, FALSE)` : dialect.exists(sql`${from} WHERE ${all}${fence}`)
  return quantifier === 'some' ? found : sql`NOT ${found}`
}

function inside(over: ExistsCondition['over'], condition: Condition | null): readonly (Condition | null)[] {
  return over.kind === 'rows' ? [...over.rules, condition] : [condition]
}

/** The outer value stands so to a value of those rows. */
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

/** What a condition ranges over: rows, and what holds for each of them in any case. */
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
