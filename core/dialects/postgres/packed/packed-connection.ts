import type { LentRow } from '../../../front/database.ts'
import type { ArgumentNode, EdgeMember, WrapperField, WrapperSelection } from '../../../front/operation.ts'
import type { JsonBuffer } from '../../../json/json-buffer.ts'
import { endOfField, isDone, openSource, type PackedSource } from '../../../json/packed-source.ts'
import { putBase64, writePackedRow } from '../../../json/write-packed-row.ts'
import { compileKeyset, type Keyset, keysetOrder } from '../../../plan/connection.ts'
import { nextAlias, type PlanContext } from '../../../plan/plan-context.ts'
import { queryConditions } from '../../../plan/query-conditions.ts'
import { openQueryRow, totalCountText } from '../../../plan/query-root.ts'
import type { Row } from '../../../plan/row.ts'
import { rowsFrom } from '../../../plan/rows.ts'
import type { QueryModel } from '../../../schema/model.ts'
import { EMPTY, sql } from '../../../sql/fragment.ts'
import { type Packed, packRows } from './packed.ts'
import { FIELD_KIND, type PackedField, packedField } from './packed-field.ts'
import { objectParts, type PackedPart, type RowTemplate, rowTemplate } from './packed-row.ts'

/** Types of a cursor column whose text is its `::text`. */
const KEY_TYPES = new Set(['int2', 'int4', 'int8', 'uuid', 'text', 'varchar'])

/** What a page is written from. */
interface Page {
  readonly source: PackedSource
  /** Where the rows that were asked for start, in response order. */
  readonly starts: readonly number[]
  /** Is there a row beyond them? */
  readonly more: boolean
}

/** Writes one member of the connection. `false`: as in {@link Packed.write}. */
type MemberWriter = (page: Page, result: LentRow, at: number, target: JsonBuffer) => boolean

/**
 * `{Type}Connection` of flat nodes. The first field of each row is its key.
 * @returns `null` when the database has to write it
 */
export function packedConnection(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  selection: WrapperSelection,
): Packed | null {
  if (query.named.kind !== 'object' || query.named.cursor === null) return null
  const edges = selection.fields.filter((field) => field.field === 'edges')
  if (edges.length > 1 || selection.fields.every(({ field }) => field !== 'edges' && field !== 'pageInfo')) return null
  const row = openQueryRow(context, query)
  const keyset = compileKeyset(context, query.named, args, row)
  const key = keyField(keyset)
  const parts = key === null ? null : edgeParts(query, edges[0]?.members ?? null, row, key)
  const template = parts === null ? null : rowTemplate(parts)
  if (template === null) return null
  const conditions = [...queryConditions(context, query, args, row), ...keyset.bounds]
  const order = keysetOrder(keyset)
  const from = rowsFrom(row, { conditions, order, page: sql` LIMIT ${keyset.sizePlusOne}` })
  const packed = packRows(nextAlias(context), template, from, EMPTY)
  const columns = [...packed.columns, keyset.size]
  const members: { readonly before: string; readonly write: MemberWriter }[] = []
  for (const [index, field] of selection.fields.entries()) {
    const column = columns.length
    if (field.field === 'totalCount') columns.push(totalCountText(context, { operation: query, arguments: args }))
    members.push({
      before: `${index === 0 ? '{' : ','}${JSON.stringify(field.responseKey)}:`,
      write: memberWriter(field, selection.typeName, keyset, column, template),
    })
  }
  return {
    from: packed.from,
    columns,
    write(result, at, target) {
      const count = Number(result[at])
      const page = openPage(template, keyset.forward, count, result[at + 1] ?? '', Number(result[at + 2]))
      if (page === null) return false
      for (const { before, write } of members) {
        target.put(before)
        if (!write(page, result, at, target)) return false
      }
      target.put('}')
      return true
    },
  }
}

function keyField({ key, tie, type, notNull }: Keyset): PackedField | null {
  if (tie !== null || type === null || !KEY_TYPES.has(type)) return null
  const field = packedField(key, type, { notNull, required: true })
  // Where it may be null, the text may have a mark in front: left to the database.
  return field === null || field.nullable ? null : { ...field, kind: FIELD_KIND.base64, quoted: true }
}

/** @returns `null`: a node is more than its own leaves */
function edgeParts(
  query: QueryModel,
  members: readonly EdgeMember[] | null,
  row: Row,
  key: PackedField,
): readonly PackedPart[] | null {
  const parts: PackedPart[] = []
  for (const [index, member] of (members ?? []).entries()) {
    parts.push(`${index === 0 ? '{' : ','}${JSON.stringify(member.responseKey)}:`)
    if (member.name === 'cursor') parts.push(key)
    else if (member.name === '__typename') parts.push(JSON.stringify(`${query.named.name}Edge`))
    else if (member.name === 'node') {
      const node = member.selection?.kind === 'object' ? objectParts(member.selection, row) : null
      if (node === null) return null
      parts.push(...node)
    }
  }
  const isFirst = parts.find((part) => typeof part !== 'string') === key
  const unseen: PackedField = { ...key, kind: FIELD_KIND.unseen, quoted: false }
  return isFirst ? [...parts, '}'] : [unseen, ...parts, '}']
}

function memberWriter(
  field: WrapperField,
  typeName: string,
  keyset: Keyset,
  column: number,
  template: RowTemplate,
): MemberWriter {
  switch (field.field) {
    case 'totalCount':
      return (_page, result, at, target) => {
        target.put(result[at + column] ?? 'null')
        return true
      }
    case 'edges':
      return (page, _result, _at, target) => writeEdges(page, template, target)
    case 'pageInfo': {
      const members = field.members.map(({ name, responseKey }, index) => ({
        before: `${index === 0 ? '{' : ','}${JSON.stringify(responseKey)}:`,
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
    default: {
      const text = JSON.stringify(typeName)
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

function pageInfoWriter(name: string, { forward, after, before }: Keyset): (page: Page, target: JsonBuffer) => void {
  const more = (page: Page, target: JsonBuffer): void => target.put(String(page.more))
  const known = (value: boolean) => (_page: Page, target: JsonBuffer) => target.put(String(value))
  switch (name) {
    case 'hasNextPage':
      return forward ? more : known(before)
    case 'hasPreviousPage':
      return forward ? known(after) : more
    case 'startCursor':
      return ({ source, starts }, target) => writeCursor(source, starts[0], target)
    case 'endCursor':
      return ({ source, starts }, target) => writeCursor(source, starts[starts.length - 1], target)
    case '__typename':
      return (_page, target) => target.put('"PageInfo"')
    default:
      throw new Error(`PageInfo has no ${name}`)
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
 * The rows come in the order of the keyset: backwards, the last of the page first. One more than asked for looks ahead.
 * @returns `null`: there are not as many fields as there should be
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
