import type {
  Connection,
  ConnectionMember,
  EdgeMember,
  Keyset,
  PageInfoMember,
} from '../../../contract/plan/read-plan.ts'
import type { LentRow } from '../../../contract/statement.ts'
import type { JsonBuffer } from '../../../engine/json/json-buffer.ts'
import { endOfField, isDone, openSource, type PackedSource } from '../../../engine/json/packed-source.ts'
import { FIELD_KIND } from '../../../engine/json/row-writer.ts'
import { putBase64, writePackedRow } from '../../../engine/json/write-packed-row.ts'
import { EMPTY, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { aliasOf, type Emission, nextAlias, openRow, openSourceRow } from '../../walker/emission.ts'
import { type OpenKeyset, openKeyset, pageRows } from '../../walker/keyset.ts'
import { conditionsOf, countText } from '../../walker/rows.ts'
import { cast } from '../primitives/types.ts'
import { type Packed, packRows } from './packed.ts'
import {
  objectParts,
  type PackedField,
  type PackedPart,
  packedField,
  type RowTemplate,
  rowTemplate,
} from './packed-row.ts'

/** Types of cursor columns whose text in the result equals their `::text`. */
const KEY_TYPES = new Set(['int2', 'int4', 'int8', 'uuid', 'text', 'varchar'])

/** The rows of a page, as packed text. */
interface Page {
  readonly source: PackedSource
  /** Start of each row of the page in `source`, in response order. */
  readonly starts: readonly number[]
  /** Is there a row after the page? */
  readonly more: boolean
}

/** Writes one member of the connection. @returns `false`: unexpected data, as in {@link Packed.write} */
type MemberWriter = (page: Page, result: LentRow, at: number, target: JsonBuffer) => boolean

/**
 * Prepares a `{Type}Connection` whose JSON svc writes itself, because its nodes select only scalars and enums. The
 * database returns the fields of all rows as one text; the first field of each row is its cursor key.
 * @returns `null`: svc cannot write this connection, so the database must write its JSON
 */
export function packedConnection(emission: Emission, { from, keyset, members }: Connection): Packed | null {
  const edges = members.filter((member) => member.kind === 'edges')
  if (edges.length > 1 || members.every(({ kind }) => kind !== 'edges' && kind !== 'pageInfo')) return null
  openSourceRow(emission, from.row)
  const open = openKeyset(emission, keyset)
  const key = keyField(keyset, open)
  const parts = key === null ? null : edgeParts(emission, edges[0]?.members ?? [], key)
  const template = parts === null ? null : rowTemplate(parts)
  if (template === null) return null
  const rows = pageFrom(emission, from, open)
  const packed = packRows(nextAlias(emission), template, rows, EMPTY)
  const columns = [...packed.columns, open.size]
  const writers: { readonly before: string; readonly write: MemberWriter }[] = []
  for (const [index, member] of members.entries()) {
    const column = columns.length
    if (member.kind === 'total') columns.push(countText(emission, member.of))
    const before = `${index === 0 ? '{' : ','}${JSON.stringify(member.key)}:`
    writers.push({ before, write: memberWriter(member, keyset, column, template) })
  }
  return {
    from: packed.from,
    columns,
    write(result, at, target) {
      const count = Number(result[at])
      const page = openPage(template, keyset.forward, count, result[at + 1] ?? '', Number(result[at + 2]))
      if (page === null) return false
      for (const { before, write } of writers) {
        target.put(before)
        if (!write(page, result, at, target)) return false
      }
      target.put('}')
      return true
    },
  }
}

/** Writes ` FROM …` of the rows of the page and the row after it. */
function pageFrom(emission: Emission, from: Connection['from'], open: OpenKeyset): SqlFragment {
  const rows = sql` FROM ${pageRows(emission, from, open, conditionsOf(emission, from))}`
  // The key may be in the document.
  return openRow(emission, from.row).readsDocument ? sql` FROM (SELECT *${rows}) ${aliasOf(emission, from.row)}` : rows
}

function keyField(keyset: Keyset, { key, cursor, notNull }: OpenKeyset): PackedField | null {
  // JSON never contains the character that separates fields.
  if (keyset.by === 'order') return base64(packedField(cast(cursor, 'text'), 'text', { notNull: true, required: true }))
  const { tie, type } = keyset
  if (tie !== null || type === null || !KEY_TYPES.has(type)) return null
  const field = packedField(key, type, { notNull, required: true })
  // A nullable key may have a mark before its text, so the database must write it.
  return base64(field)
}

function base64(field: PackedField | null): PackedField | null {
  return field === null || field.nullable ? null : { ...field, kind: FIELD_KIND.base64, quoted: true }
}

/** @returns `null`: a node contains more than its own leaves */
function edgeParts(emission: Emission, members: readonly EdgeMember[], key: PackedField): readonly PackedPart[] | null {
  const parts: PackedPart[] = []
  for (const [index, member] of members.entries()) {
    parts.push(`${index === 0 ? '{' : ','}${JSON.stringify(member.key)}:`)
    if (member.kind === 'cursor') parts.push(key)
    else if (member.kind === 'typename') parts.push(JSON.stringify(member.name))
    else {
      const node = objectParts(emission, member.object)
      if (node === null) return null
      parts.push(...node)
    }
  }
  const isFirst = parts.find((part) => typeof part !== 'string') === key
  const unseen: PackedField = { ...key, kind: FIELD_KIND.unseen, quoted: false }
  return isFirst ? [...parts, '}'] : [unseen, ...parts, '}']
}

function memberWriter(member: ConnectionMember, keyset: Keyset, column: number, template: RowTemplate): MemberWriter {
  switch (member.kind) {
    case 'total':
      return (_page, result, at, target) => {
        target.put(result[at + column] ?? 'null')
        return true
      }
    case 'edges':
      return (page, _result, _at, target) => writeEdges(page, template, target)
    case 'pageInfo': {
      const members = member.members.map(({ name, key }, index) => ({
        before: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
        write: pageInfoWriter(name, keyset),
      }))
      return (page, _result, _at, target) => {
        for (const { before, write } of members) {
          target.put(before)
          write(page, target)
        }
        target.put('}')
        return true
      }
    }
    case 'typename': {
      const text = JSON.stringify(member.name)
      return (_page, _result, _at, target) => {
        target.put(text)
        return true
      }
    }
  }
}

function writeEdges({ starts, source }: Page, template: RowTemplate, target: JsonBuffer): boolean {
  target.put('[')
  for (const [index, start] of starts.entries()) {
    if (index > 0) target.put(',')
    source.at = start
    if (!writePackedRow(template, source, target)) return false
  }
  target.put(']')
  return true
}

function pageInfoWriter(
  name: PageInfoMember['name'],
  { forward, after, before }: Keyset,
): (page: Page, target: JsonBuffer) => void {
  const more = (page: Page, target: JsonBuffer): void => target.put(String(page.more))
  const known = (value: boolean) => (_page: Page, target: JsonBuffer) => target.put(String(value))
  switch (name) {
    case 'hasNextPage':
      return forward ? more : known(before !== null)
    case 'hasPreviousPage':
      return forward ? known(after !== null) : more
    case 'startCursor':
      return ({ source, starts }, target) => writeCursor(source, starts[0], target)
    case 'endCursor':
      return ({ source, starts }, target) => writeCursor(source, starts[starts.length - 1], target)
    case '__typename':
      return (_page, target) => target.put('"PageInfo"')
  }
}

function writeCursor(source: PackedSource, start: number | undefined, target: JsonBuffer): void {
  if (start === undefined) {
    target.put('null')
    return
  }
  target.put('"')
  putBase64(source.bytes, start, endOfField(source, start), target)
  target.put('"')
}

/**
 * Finds the rows of a page. They are in the order of the keyset: when paging backwards, the last row of the page is first.
 * The statement reads one row more than `size`, which shows whether there are further rows.
 * @param forward `true` if the page is read forward
 * @param count number of rows in `text`
 * @returns `null` when the number of fields is wrong
 */
function openPage(
  template: RowTemplate,
  forward: boolean,
  count: number,
  text: string | Buffer,
  size: number,
): Page | null {
  const source = openSource(text)
  const starts: number[] = []
  const width = template.writers.length
  for (let i = 0; i < count; i++) {
    if (i < size) starts.push(source.at)
    for (let w = 0; w < width; w++) {
      if (source.at > source.end) return null
      source.at = endOfField(source, source.at) + 1
    }
  }
  if (count > 0 && !isDone(source)) return null
  if (!forward) starts.reverse()
  return { source, starts, more: count > size }
}
