import type { Aggregate, AggregateColumn, AggregateMember } from '../../plan/read-plan.ts'
import { EMPTY, identifier, join, NULL, parameter, type SqlFragment, sql } from '../../sql/fragment.ts'
import type { Comparable, SqlMember, SqlValue } from '../sql-value.ts'
import { operator } from './condition.ts'
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
import { conditionsOf, pageOf, whereOf } from './rows.ts'
import { objectValue, subquery } from './shape.ts'

/** A column of the grouped rows. */
interface WrittenColumn {
  readonly column: AggregateColumn
  readonly sql: SqlFragment
  /** Of a key: what GROUP BY says. */
  readonly by: SqlFragment | null
  readonly type: string | null
}

/**
 * Numbers about rows as JSON text. The inner query computes, over the rows that the rules leave; the outer one filters, orders and
 * shows, so that a condition on a number is one like any other.
 */
export function aggregateText(emission: Emission, root: Aggregate): SqlFragment {
  const { dialect } = emission
  openSourceRow(emission, root.from.row)
  const columns = root.columns.map((column) => writeColumn(emission, column))
  const conditions = conditionsOf(emission, root.from)
  const keys = columns.flatMap(({ by }) => (by === null ? [] : [by]))
  const by = keys.length === 0 ? EMPTY : sql` GROUP BY ${join(keys, ', ')}`
  const list = columns.map(({ sql: value }, index) => sql`${value} AS ${nameOf(index)}`)
  const rows = sql`${sourceOf(emission, root.from.row)}${whereOf(conditions)}`
  // As for lists: what is read of a document is read of one that was built once.
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
  const wanted = root.having.map(({ column, operator: id, operand }) => {
    const left = compared(column)
    return operator(emission, id)(left, { sql: left.operand(parameter(operand)), yes: false })
  })
  const members = root.members.map((member) => writeMember(emission, member, root.columns, columnOf))
  const projection = dialect.object(members)
  if (!root.grouped) {
    const rest = sql` FROM ${inner}${whereOf(wanted)}`
    return sql`coalesce((SELECT ${dialect.asText(projection.value)} FROM ${subquery(projection, rest)}), ${dialect.literal('null')})`
  }
  const terms = root.order.map(({ column, direction }) => dialect.orderTerm(compared(column).value, direction))
  const order = terms.length === 0 ? EMPTY : sql` ORDER BY ${join(terms, ', ')}`
  const guard = root.page.guard === null ? null : having(emission, root.page.guard)
  const rest = sql` FROM ${inner}${whereOf(wanted)}${order}${pageOf(emission, root.page)}`
  return dialect.listText(projection.value, sql` FROM ${subquery(projection, rest)}`, guard)
}

function nameOf(index: number): SqlFragment {
  return identifier(`a${index + 1}`)
}

function writeColumn(emission: Emission, column: AggregateColumn): WrittenColumn {
  const { dialect } = emission
  if (column.kind === 'rows') return { column, sql: sql`count(*)`, by: null, type: 'int8' }
  const value = sqlValueOf(emission, column.target.value)
  if (column.kind === 'key') {
    const { by, value: shown, type } = dialect.groupKey(column.target, value)
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
      return { key, value: dialect.cast(dialect.literal(member.name), 'text'), nested: false }
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
