import type { Slot } from '../../contract/slot.ts'
import type { Connection, ConnectionMember, EdgeMember, Keyset, PageInfoMember } from '../../plan/read-plan.ts'
import { EMPTY, identifier, join, parameter, type SqlFragment, sql } from '../../sql/fragment.ts'
import type { PageOrder } from '../primitives.ts'
import type { SqlMember } from '../sql-value.ts'
import { operator } from './condition.ts'
import { aliasOf, type Emission, openSourceRow, plainOf, sourceOf, sqlValueOf } from './emission.ts'
import { conditionsOf, countOf, countText, whereOf } from './rows.ts'
import { objectValue, projectShape } from './shape.ts'

/** Position of a row on its page, counted from the end that the page starts at. No column can be called so. */
const NUMBER = identifier('svc:n')

/** A keyset over a row that is open. */
export interface OpenKeyset {
  readonly key: SqlFragment
  /** Proven by the catalog. */
  readonly notNull: boolean
  /** What a cursor holds: the text of the key, or of key and tie as a JSON array. */
  readonly cursor: SqlFragment
  /** Type of that; `null`: it may be long. */
  readonly cursorType: string | null
  readonly size: SqlFragment
  readonly sizePlusOne: SqlFragment
  /** From where: conditions. */
  readonly bounds: readonly SqlFragment[]
  /** Of the rows of the page, after `ORDER BY`. */
  readonly order: SqlFragment
}

export function openKeyset(emission: Emission, keyset: Keyset): OpenKeyset {
  const { dialect } = emission
  const { type, after, before, forward } = keyset
  const value = sqlValueOf(emission, keyset.key)
  const key = value.from === 'column' ? value.sql : dialect.cast(value.text, type ?? 'int8')
  const tie = keyset.tie === null ? null : plainOf(sqlValueOf(emission, keyset.tie.value))
  const both = tie === null ? key : sql`(${key}, ${tie})`
  const types = keyset.tie === null ? [type] : [type, keyset.tie.type]
  const bounds: SqlFragment[] = []
  const bound = (id: string, slots: readonly Slot[]): void => {
    const parts = slots.map((slot, index) => {
      const own = types[index] ?? null
      return own === null ? parameter(slot) : dialect.cast(parameter(slot), own)
    })
    const operand = parts.length === 1 ? parts[0]! : sql`(${join(parts, ', ')})`
    bounds.push(operator(emission, id)({ value: both, text: both }, { sql: operand, yes: false }))
  }
  if (after !== null) bound('_gt', after)
  if (before !== null) bound('_lt', before)
  const direction = forward ? sql` ASC` : sql` DESC`
  return {
    key,
    notNull: value.from === 'column' && value.notNull,
    cursor: tie === null ? key : dialect.textArray([key, tie]),
    cursorType: tie === null ? type : null,
    size: countOf(emission, keyset.size),
    sizePlusOne: countOf(emission, keyset.sizePlusOne),
    bounds,
    order: tie === null ? sql`${key}${direction}` : sql`${key}${direction}, ${tie}${direction}`,
  }
}

/** `{Type}Connection` as JSON text. */
export function connectionText(emission: Emission, connection: Connection): SqlFragment {
  const { dialect } = emission
  const { from, keyset, members } = connection
  openSourceRow(emission, from.row)
  const open = openKeyset(emission, keyset)
  const conditions = [...conditionsOf(emission, from), ...open.bounds]
  const order: PageOrder = { number: NUMBER, ascending: keyset.forward, size: open.size }
  const object = dialect.objectText(
    members.map((member) => ({ key: member.key, value: memberText(emission, member, keyset, open, order) })),
  )
  if (members.every(({ kind }) => kind !== 'edges' && kind !== 'pageInfo')) return object
  const page = sql`SELECT * FROM ${sourceOf(emission, from.row)}${whereOf(conditions)} ORDER BY ${open.order}${dialect.page(open.sizePlusOne, null)}`
  const alias = aliasOf(emission, from.row)
  const numbered = sql`SELECT *, row_number() OVER (ORDER BY ${open.order}) AS ${NUMBER} FROM (${page}) ${alias}`
  return sql`(SELECT ${object} FROM (${numbered}${dialect.fence}) ${alias})`
}

function memberText(
  emission: Emission,
  member: ConnectionMember,
  keyset: Keyset,
  open: OpenKeyset,
  order: PageOrder,
): string | SqlFragment {
  switch (member.kind) {
    case 'typename':
      return JSON.stringify(member.name)
    case 'total':
      return countText(emission, member.of)
    case 'pageInfo':
      return emission.dialect.objectText(
        member.members.map(({ key, name }) => ({ key, value: pageInfoText(emission, name, keyset, open, order) })),
      )
    case 'edges': {
      const edge = emission.dialect.object(member.members.map((part) => edgeMember(emission, part, open)))
      return emission.dialect.pageList(objectValue(edge, EMPTY), order)
    }
  }
}

function edgeMember(emission: Emission, member: EdgeMember, open: OpenKeyset): SqlMember {
  const { dialect } = emission
  const { key } = member
  switch (member.kind) {
    case 'node':
      return { key, value: objectValue(projectShape(emission, member.object), EMPTY), nested: true }
    case 'cursor':
      return { key, value: dialect.cursor(open.cursor, open.cursorType), nested: false }
    case 'typename':
      return { key, value: dialect.cast(dialect.literal(member.name), 'text'), nested: false }
  }
}

function pageInfoText(
  { dialect }: Emission,
  name: PageInfoMember['name'],
  keyset: Keyset,
  { cursor, cursorType, size }: OpenKeyset,
  order: PageOrder,
): string | SqlFragment {
  const { forward, after, before } = keyset
  const more = (): SqlFragment => dialect.booleanText(sql`count(*) > ${size}`)
  const cursorAt = (end: 'first' | 'last'): SqlFragment =>
    sql`coalesce('"' || ${dialect.cursor(dialect.pageKey(cursor, order, end), cursorType)} || '"', 'null')`
  switch (name) {
    case 'hasNextPage':
      return forward ? more() : String(before !== null)
    case 'hasPreviousPage':
      return forward ? String(after !== null) : more()
    case 'startCursor':
      return cursorAt('first')
    case 'endCursor':
      return cursorAt('last')
    case '__typename':
      return '"PageInfo"'
  }
}
