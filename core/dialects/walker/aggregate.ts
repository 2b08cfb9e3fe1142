import type { Tie } from '../../contract/plan/condition.ts'
import type { Aggregate, AggregateColumn, AggregateMember, GroupCondition } from '../../contract/plan/read-plan.ts'
import {
  EMPTY,
  FALSE,
  identifier,
  join,
  NULL,
  parameter,
  type SqlFragment,
  sql,
  TRUE,
} from '../../engine/sql/fragment.ts'
import type { Comparable, SqlMember, SqlValue } from '../sql-value.ts'
import {
  aliasOf,
  type Emission,
  having,
  nextAlias,
  openRow,
  openSourceRow,
  sourceOf,
  sqlValueOf,
  watchLeaf,
  watchNulls,
} from './emission.ts'
import { objectValue, subquery } from './object-value.ts'
import { operator } from './operands.ts'
import { pageOfList } from './related-list.ts'
import { conditionsOf, pageOf, whereOf } from './rows.ts'
import { tiedRows } from './tied-rows.ts'

/** A column of the grouped rows. */
interface WrittenColumn {
  readonly column: AggregateColumn
  readonly sql: SqlFragment
  /** Expression in GROUP BY; `null` when the column is no key. */
  readonly by: SqlFragment | null
  readonly type: string | null
}

/**
 * Writes the aggregates of a root field (`count`, sums, groups) as JSON text. The inner query computes them over the
 * rows that the access rules allow. The outer query filters, sorts and formats groups, so that conditions on aggregates
 * are ordinary conditions.
 */
export function aggregateText(emission: Emission, of: Aggregate): SqlFragment {
  const { dialect } = emission
  const written = writeAggregate(emission, of)
  if ('list' in written) return written.list
  const { value, from, guard } = written
  if (of.grouped) return dialect.listText(value, from, guard)
  return sql`coalesce((SELECT ${dialect.asText(value)}${from}), ${dialect.literal('null')})`
}

/** Writes aggregates of related rows as a member of the parent's object: a list of groups, or one object. */
export function aggregateValue(emission: Emission, of: Aggregate): SqlFragment {
  if (emission.dialect.flat === true && of.tie !== null) return flatAggregate(emission, of, of.tie)
  const written = writeAggregate(emission, of)
  if ('list' in written) return written.list
  const { value, from, guard } = written
  return of.grouped ? emission.dialect.list(value, from, guard) : sql`(SELECT ${value}${from})`
}

/** @returns the object of a group, or of all rows; ` FROM …` of them, and ` HAVING …`. `list`: the whole list of groups */
function writeAggregate(
  emission: Emission,
  root: Aggregate,
):
  | { readonly value: SqlFragment; readonly from: SqlFragment; readonly guard: SqlFragment | null }
  | { readonly list: SqlFragment } {
  const { dialect } = emission
  openSourceRow(emission, root.from.row)
  const columns = root.columns.map((column) => writeColumn(emission, column))
  const conditions = conditionsOf(emission, { ...root.from, tie: root.tie })
  const keys = columns.flatMap(({ by }) => (by === null ? [] : [by]))
  const by = keys.length === 0 ? EMPTY : sql` GROUP BY ${join(keys, ', ')}`
  const list = columns.map(({ sql: value }, index) => sql`${value} AS ${nameOf(index)}`)
  const rows = sql`${sourceOf(emission, root.from.row)}${whereOf(conditions)}`
  // As for lists, the fence builds each document once, not once per value that is read from it.
  const read = openRow(emission, root.from.row).readsDocument
    ? sql`(SELECT * FROM ${rows}${dialect.fence}) ${aliasOf(emission, root.from.row)}`
    : rows
  const groups = nextAlias(emission)
  const inner = sql`(SELECT ${join(list, ', ')} FROM ${read}${by}) ${groups}`
  const columnOf = (index: number): SqlValue => {
    const { type } = columns[index]!
    return { from: 'column', sql: sql`${groups}.${nameOf(index)}`, type, notNull: false }
  }
  const compared = (index: number): Comparable => compareColumn(emission, columns[index]!, columnOf(index))
  const wanted = root.having.map((condition) => writeHaving(emission, condition, compared))
  const members = root.members.map((member) => writeMember(emission, member, root.columns, columnOf))
  const projection = dialect.object(members)
  if (root.grouped && projection.flat !== undefined) {
    const rows = sql`${inner}${whereOf(wanted)}`
    return { list: groupList(emission, root, { value: projection.flat, rows, alias: groups }, compared) }
  }
  const order = root.grouped ? orderOf(emission, root.order, compared) : EMPTY
  const guard = root.page.guard && having(emission, root.page.guard)
  const rest = sql` FROM ${inner}${whereOf(wanted)}${order}${pageOf(emission, root.page)}`
  return { value: projection.value, from: sql` FROM ${subquery(projection, rest)}`, guard }
}

/** Writes aggregates of related rows in databases with flat projections, whose subqueries in FROM have no outer row. */
function flatAggregate(emission: Emission, root: Aggregate, tie: Tie): SqlFragment {
  const { dialect } = emission
  openSourceRow(emission, root.from.row)
  const columns = root.columns.map((column) => writeColumn(emission, column))
  const conditions = conditionsOf(emission, { ...root.from, tie: root.grouped ? null : tie })
  const groups = nextAlias(emission)
  const columnOf = (index: number): SqlValue => {
    const { type, sql: value } = columns[index]!
    return { from: 'column', sql: root.grouped ? sql`${groups}.${nameOf(index)}` : value, type, notNull: false }
  }
  const compared = (index: number): Comparable => compareColumn(emission, columns[index]!, columnOf(index))
  const wanted = root.having.map((condition) => writeHaving(emission, condition, compared))
  const members = root.members.map((member) => writeMember(emission, member, root.columns, columnOf))
  const value = dialect.object(members).flat
  if (value === undefined) throw new Error('The projections of this dialect are flat')
  if (!root.grouped) {
    const bound = wanted.length === 0 ? EMPTY : sql` HAVING ${join(wanted, ' AND ')}`
    return sql`(SELECT ${value} FROM ${sourceOf(emission, root.from.row)}${whereOf(conditions)}${bound})`
  }
  // The groups of all parents are made once, and each parent selects its own.
  const tied = tiedRows(emission, tie, root.from.row)
  const ties = tied.keys
  const rows = sql`${tied.from}${whereOf([...tied.conditions, ...conditions])}`
  const by = [
    ...ties.map(({ inner }) => inner),
    ...columns.flatMap((column) => (column.by === null ? [] : [column.by])),
  ]
  const list = [
    ...ties.map(({ inner }, index) => sql`${inner} AS ${tieOf(index)}`),
    ...columns.map((column, index) => sql`${column.sql} AS ${nameOf(index)}`),
  ]
  const own = ties.map(({ outer }, index) => sql`${groups}.${tieOf(index)} = ${outer}`)
  const inner = sql`(SELECT ${join(list, ', ')} FROM ${rows} GROUP BY ${join(by, ', ')}) ${groups}`
  const groupRows = sql`${inner}${whereOf([...own, ...wanted])}`
  return groupList(emission, root, { value, rows: groupRows, alias: groups }, compared)
}

/** Writes a list of groups in databases with flat projections. @param rows the groups with their alias, and ` WHERE …` */
function groupList(
  emission: Emission,
  root: Aggregate,
  list: { readonly value: SqlFragment; readonly rows: SqlFragment; readonly alias: SqlFragment },
  compared: (index: number) => Comparable,
): SqlFragment {
  const queryOrder = orderOf(emission, root.order, compared)
  const order = orderOf(emission, root.order, compared, true)
  return pageOfList(emission, { ...list, queryOrder, order, row: null }, root.page, root.tie !== null)
}

function tieOf(index: number): SqlFragment {
  return identifier(`k${index + 1}`)
}

function orderOf(
  { dialect }: Emission,
  order: Aggregate['order'],
  compared: (index: number) => Comparable,
  isOfList?: boolean,
): SqlFragment {
  const terms = order.map(({ column, direction }) => {
    const { value, sort = value } = compared(column)
    return dialect.orderTerm(sort, direction, true, isOfList)
  })
  return terms.length === 0 ? EMPTY : sql` ORDER BY ${join(terms, ', ')}`
}

function writeHaving(
  emission: Emission,
  condition: GroupCondition,
  compared: (index: number) => Comparable,
): SqlFragment {
  switch (condition.kind) {
    case 'compare': {
      const left = compared(condition.column)
      const operand = { sql: left.operand(parameter(condition.operand)), yes: false }
      return operator(emission, condition.operator)(left, operand)
    }
    case 'not':
      return sql`NOT (${writeHaving(emission, condition.condition, compared)})`
    case 'group': {
      const { joint, conditions } = condition
      if (conditions.length === 0) return joint === 'and' ? TRUE : FALSE
      const parts = conditions.map((part) => sql`(${writeHaving(emission, part, compared)})`)
      return sql`(${join(parts, joint === 'and' ? ' AND ' : ' OR ')})`
    }
  }
}

function nameOf(index: number): SqlFragment {
  return identifier(`a${index + 1}`)
}

function writeColumn(emission: Emission, column: AggregateColumn): WrittenColumn {
  const { dialect } = emission
  if (column.kind === 'rows') return { column, sql: sql`count(*)`, by: null, type: 'int8' }
  const value = sqlValueOf(emission, column.target.value)
  if (column.kind === 'key') {
    const { by, value: shown, type } = dialect.groupKey(column.target, value, column.period)
    return { column, sql: shown, by, type }
  }
  const { value: measured, type } = dialect.measure(column.function, column.target, value)
  return { column, sql: measured, by: null, type }
}

function compareColumn({ dialect }: Emission, { column, type }: WrittenColumn, value: SqlValue): Comparable {
  if (column.kind === 'rows') return dialect.comparable({ named: null, list: false, type: 'int8' }, value)
  const { named } = column.field
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw new Error(`${column.field.name} is no leaf`)
  const isNumber = column.kind === 'measure' && column.function !== 'min' && column.function !== 'max'
  return dialect.comparable({ named, list: false, type: isNumber ? 'numeric' : type }, value)
}

function writeMember(
  emission: Emission,
  member: AggregateMember,
  columns: readonly AggregateColumn[],
  columnOf: (index: number) => SqlValue,
): SqlMember {
  const { dialect } = emission
  const { key } = member
  switch (member.kind) {
    case 'typename':
      return { key, value: dialect.cast(dialect.literal(member.name), 'text'), nested: false, plain: true }
    case 'denied':
      return { key, value: dialect.cast(NULL, 'text'), nested: false }
    case 'object': {
      const inner = member.members.map((each) => writeMember(emission, each, columns, columnOf))
      return { key, value: objectValue(dialect.object(inner), EMPTY), nested: true }
    }
    case 'column': {
      const column = columns[member.column]!
      const value = columnOf(member.column)
      if (column.kind === 'rows') return { key, value: value.from === 'column' ? value.sql : value.text, nested: false }
      const { field } = column
      if (column.kind === 'key') watchNulls(emission, key, field.type, value)
      watchLeaf(emission, field, value)
      return { key, value: dialect.leaf(field, value), nested: false }
    }
  }
}
