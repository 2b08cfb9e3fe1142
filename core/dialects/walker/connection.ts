import type { Connection, ConnectionMember, EdgeMember, Keyset, PageInfoMember } from '../../contract/plan/read-plan.ts'
import { EMPTY, identifier, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PageOrder } from '../page-sql.ts'
import type { SqlMember } from '../sql-value.ts'
import { aliasOf, type Emission, openSourceRow } from './emission.ts'
import { type OpenKeyset, openKeyset, pageRows } from './keyset.ts'
import { objectValue } from './object-value.ts'
import { conditionsOf, countText } from './rows.ts'
import { projectShape } from './shape.ts'

/** Name of the column with a row's position on its page, counted from the end that the page starts at. No other column can have it. */
const NUMBER = identifier('svc:n')

/** Writes the SQL of a root field of type `{Type}Connection` (edges, cursors, page info, total) as JSON text. */
export function connectionText(emission: Emission, connection: Connection): SqlFragment {
  const { dialect } = emission
  const { from, keyset, members } = connection
  openSourceRow(emission, from.row)
  const open = openKeyset(emission, keyset)
  const conditions = conditionsOf(emission, from)
  const order: PageOrder = { number: NUMBER, ascending: keyset.forward, size: open.size }
  const object = dialect.objectText(
    members.map((member) => ({ key: member.key, value: memberText(emission, member, keyset, open, order) })),
  )
  if (!members.some((member) => readsPage(member, keyset))) return object
  const alias = aliasOf(emission, from.row)
  const page = sql`SELECT * FROM ${pageRows(emission, from, open, conditions)}`
  const numbered = sql`SELECT *, row_number() OVER (ORDER BY ${open.order}) AS ${NUMBER} FROM (${page}) ${alias}`
  return sql`(SELECT ${object} FROM (${numbered}${dialect.fence}) ${alias})`
}

/** Tests whether a member depends on the rows of the page. Any other member is written outside of the query over the rows. */
function readsPage(member: ConnectionMember, { forward }: Keyset): boolean {
  if (member.kind !== 'pageInfo') return member.kind === 'edges'
  const known = forward ? 'hasPreviousPage' : 'hasNextPage'
  return member.members.some(({ name }) => name !== known && name !== '__typename')
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
      return { key, value: dialect.cursor(open.cursor, open.cursorType), nested: false, plain: true }
    case 'typename':
      return { key, value: dialect.cast(dialect.literal(member.name), 'text'), nested: false, plain: true }
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
