import type { Counted, PerKey, RootValue, Rows } from '../../contract/plan/read-plan.ts'
import { join, literal, parameter, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { Primitives } from '../primitives.ts'
import { aggregateText } from './aggregate.ts'
import { openRange } from './condition.ts'
import { connectionText } from './connection.ts'
import { type Emission, nextAlias, openSourceRow } from './emission.ts'
import { objectValue } from './object-value.ts'
import { comparableOf } from './operands.ts'
import { flatList, relatedList } from './related-list.ts'
import { countText, rowsFrom } from './rows.ts'
import { projectEach, projectRows, projectShape } from './shape.ts'

/** Writes the SQL of a root field, of type text, whose value is JSON. @param key response key of the field */
export function rootText(emission: Emission, key: string, value: RootValue): SqlFragment {
  const { dialect } = emission
  switch (value.kind) {
    case 'constant': {
      const { json } = value
      return dialect.cast(parameter({ read: () => json }), 'text')
    }
    case 'single': {
      if (!value.nullable) emission.nulls.add(`"${key}":null`)
      return sql`coalesce(${oneText(emission, value.rows)}, ${NULL_TEXT})`
    }
    case 'list':
      return listText(emission, value.rows)
    case 'byKeys':
      return value.many ? listText(emission, value.rows) : oneText(emission, value.rows)
    case 'perKey':
      return perKeyText(emission, value)
    case 'aggregate':
      return aggregateText(emission, value)
    case 'firstOf': {
      const texts = value.candidates.map((rows) => oneText(emission, rows))
      return sql`coalesce(${join([...texts, NULL_TEXT], ', ')})`
    }
    case 'counted':
      return countedText(emission, value)
    case 'connection':
      return connectionText(emission, value)
  }
}

const NULL_TEXT = literal('null')

/** Writes one object as JSON text; NULL when there is no row. */
function oneText(emission: Emission, rows: Rows): SqlFragment {
  const { value, from } = projectEach(emission, rows)
  return sql`(SELECT ${emission.dialect.asText(value)}${from})`
}

function listText(emission: Emission, rows: Rows): SqlFragment {
  if (emission.dialect.flat === true) {
    openSourceRow(emission, rows.row)
    const { flat } = projectShape(emission, rows.object)
    return flatList(emission, rows, flat!, [], false)
  }
  const { value, from, guard } = projectRows(emission, rows)
  return emission.dialect.listText(value, from, guard)
}

/** Writes a list with one row per key, null for missing rows; or a list of rows per key. */
function perKeyText(emission: Emission, { many, rows, parts, supplied }: PerKey): SqlFragment {
  const { dialect } = emission
  const alias = nextAlias(emission)
  openSourceRow(emission, rows.row)
  const projection = projectShape(emission, rows.object)
  const ranges = parts.map(({ through }) => through.map((over) => openRange(emission, over)))
  const keys = parts.map((part) => ({ keys: parameter(part.keys), target: comparableOf(emission, part.target) }))
  const more = supplied.map(({ slot, type }) => ({ texts: parameter(slot), type }))
  const element = (matches: readonly SqlFragment[], values: readonly SqlFragment[]): SqlFragment => {
    for (const [index, { slot }] of supplied.entries()) emission.given.set(slot, values[index]!)
    const conditions = matches.map((match, index) => throughRanges(dialect, ranges[index]!, match))
    if (!many) return objectValue(projection, rowsFrom(emission, rows, conditions).from)
    // Lists of different lengths cannot form an SQL array, so they are JSON.
    return dialect.asJson(relatedList(emission, rows, projection, conditions))
  }
  return dialect.rowPerKey(keys, alias, element, more)
}

/** Writes a condition on values inside objects, starting at the row. */
function throughRanges(
  dialect: Primitives,
  ranges: readonly ReturnType<typeof openRange>[],
  match: SqlFragment,
): SqlFragment {
  return ranges.reduceRight((inner, { from, conditions }) => {
    const all = join([...conditions, inner], ' AND ')
    return from === null ? all : dialect.exists(sql`${from} WHERE ${all}`)
  }, match)
}

/** Writes `{Type}List { items, totalCount }`. Only selected members are queried. */
function countedText(emission: Emission, { members }: Counted): SqlFragment {
  return emission.dialect.objectText(
    members.map((member) => {
      const { key } = member
      if (member.kind === 'items') return { key, value: listText(emission, member.rows) }
      if (member.kind === 'total') return { key, value: countText(emission, member.of) }
      return { key, value: JSON.stringify(member.name) }
    }),
  )
}
