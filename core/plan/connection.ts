import { objectText } from '../dialects/postgres/json-text.ts'
import type { ArgumentNode, EdgeMember, WrapperField, WrapperSelection } from '../front/operation.ts'
import type { ObjectType, QueryModel } from '../schema/model.ts'
import {
  cast,
  EMPTY,
  identifier,
  integer,
  join,
  literal,
  type SqlFragment,
  sql,
  typedParameter,
} from '../sql/fragment.ts'
import { decodeBase64 } from './node-id.ts'
import { toText } from './operand.ts'
import { valueSlot } from './operand-slot.ts'
import { isNothing, rowCount } from './page.ts'
import { below, inputError, type PlanContext } from './plan-context.ts'
import { argumentValue, type PlanValue } from './plan-value.ts'
import { queryConditions } from './query-conditions.ts'
import { openQueryRow, totalCountText } from './query-root.ts'
import { columnOrKey, columnValue, documentValue, type Row } from './row.ts'
import { sourceOf, whereOf } from './rows.ts'
import { objectValue, project, projectEntries, requireSelection } from './selection.ts'

const DEFAULT_PAGE = 20
/** Position of a row on its page, counted from the end that the page starts at. No column can be called so. */
const NUMBER = identifier('svc:n')

/** One page by keyset (behaviours 6): which way, how many, from where. */
export interface Keyset {
  readonly forward: boolean
  readonly size: SqlFragment
  readonly sizePlusOne: SqlFragment
  readonly key: SqlFragment
  /** Tells rows of one key apart, where the catalog does not prove the key unique. */
  readonly tie: SqlFragment | null
  /** What a cursor holds: the text of the key, or of both as a JSON array. */
  readonly cursor: SqlFragment
  readonly type: string | null
  /** Proven by the catalog. */
  readonly notNull: boolean
  readonly bounds: readonly SqlFragment[]
  readonly after: boolean
  readonly before: boolean
}

/** `{Type}Connection` as JSON text. Parts that are not selected are not read. */
export function connectionText(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  selection: WrapperSelection,
): SqlFragment {
  if (query.named.kind !== 'object' || query.named.cursor === null) {
    throw inputError(context, 'first', `${query.named.name} has no cursor column to page by.`)
  }
  if (!isNothing(argumentValue(args, 'orderBy', context.variables))) {
    throw inputError(context, 'orderBy', 'a connection is ordered by its cursor.')
  }
  const row = openQueryRow(context, query)
  const keyset = compileKeyset(context, query.named, args, row)
  const conditions = [...queryConditions(context, query, args, row), ...keyset.bounds]
  const paged = selection.fields.some((field) => field.field === 'edges' || field.field === 'pageInfo')
  const object = objectText(
    selection.fields.map((field) => ({
      key: field.responseKey,
      value: memberText(context, query, args, selection, field, row, keyset),
    })),
  )
  if (!paged) return object
  const order = keysetOrder(keyset)
  const page = sql`SELECT * FROM ${sourceOf(row)}${whereOf(conditions)} ORDER BY ${order} LIMIT ${keyset.sizePlusOne}`
  const alias = row.alias ?? EMPTY
  const numbered = sql`SELECT *, row_number() OVER (ORDER BY ${order}) AS ${NUMBER} FROM (${page}) ${alias}`
  return sql`(SELECT ${object} FROM (${numbered} OFFSET 0) ${alias})`
}

/** After `ORDER BY`. */
export function keysetOrder({ key, tie, forward }: Keyset): SqlFragment {
  const direction = forward ? sql` ASC` : sql` DESC`
  return tie === null ? sql`${key}${direction}` : sql`${key}${direction}, ${tie}${direction}`
}

export function compileKeyset(context: PlanContext, type: ObjectType, args: readonly ArgumentNode[], row: Row): Keyset {
  const value = (name: string): PlanValue => argumentValue(args, name, context.variables)
  const [first, last, after, before] = [value('first'), value('last'), value('after'), value('before')]
  const forward = !isNothing(first) || isNothing(last)
  const { cursor } = type
  if (cursor === null) throw new Error(`${type.name} has no cursor`)
  const stored =
    cursor.document === null
      ? columnValue(row, cursor.column, cursor.columnType, false)
      : documentValue(row, cursor.column)
  const columnType = stored.from === 'column' ? stored.type : (cursor.columnType ?? 'int8')
  const key = stored.from === 'column' ? stored.sql : cast(stored.text, columnType ?? 'int8')
  const given = forward ? first : last
  const name = forward ? 'first' : 'last'
  const size = (extra: number): SqlFragment =>
    isNothing(given) ? integer(DEFAULT_PAGE + extra) : rowCount(context, given, name, context.settings.maxRows, extra)
  const second = cursor.tie === null ? null : columnOrKey(row, cursor.tie, null)
  const tie = second === null ? null : second.from === 'column' ? second.sql : second.text
  const types = second === null ? [columnType] : [columnType, second.from === 'column' ? second.type : 'text']
  const both = tie === null ? key : sql`(${key}, ${tie})`
  const bounds: SqlFragment[] = []
  if (!isNothing(after)) bounds.push(sql`${both} > ${cursorParameter(context, after, 'after', types)}`)
  if (!isNothing(before)) bounds.push(sql`${both} < ${cursorParameter(context, before, 'before', types)}`)
  return {
    forward,
    size: size(0),
    sizePlusOne: size(1),
    key,
    tie,
    cursor: tie === null ? key : sql`json_build_array(${key}::text, ${tie}::text)`,
    type: tie === null ? columnType : null,
    notNull: stored.from === 'column' && stored.notNull,
    bounds,
    after: !isNothing(after),
    before: !isNothing(before),
  }
}

/** @param types of the key, and of what tells rows of one key apart, where the cursor has that too */
function cursorParameter(
  context: PlanContext,
  value: PlanValue,
  name: string,
  types: readonly (string | null)[],
): SqlFragment {
  const parts = types.map((type, index) => {
    const slot = valueSlot(context, value, name, (raw) => {
      const text = readCursor(raw, types.length)[index]!
      try {
        return toText(text, null, type)
      } catch {
        throw new Error('this is no cursor of this list')
      }
    })
    return typedParameter(slot, type)
  })
  return parts.length === 1 ? parts[0]! : sql`(${join(parts, ', ')})`
}

/** The texts in a cursor. The text of a key may be empty. */
function readCursor(raw: unknown, count: number): readonly string[] {
  const decoded = raw === '' ? '' : typeof raw === 'string' ? decodeBase64(raw) : null
  if (decoded === null) throw new Error('this is no cursor')
  if (count === 1) return [decoded]
  const texts = parseTexts(decoded)
  if (texts?.length !== count) throw new Error('this is no cursor of this list')
  return texts
}

function parseTexts(json: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null
  } catch {
    return null
  }
}

function memberText(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  selection: WrapperSelection,
  field: WrapperField,
  row: Row,
  keyset: Keyset,
): string | SqlFragment {
  switch (field.field) {
    case '__typename':
      return JSON.stringify(selection.typeName)
    case 'totalCount':
      return totalCountText(context, { operation: query, arguments: args })
    case 'pageInfo':
      return pageInfoText(field.members, keyset)
    case 'edges':
      return edgesText(below(context, field.responseKey), query, field.members, row, keyset)
    case 'items':
      throw new Error('A connection has no items')
  }
}

/** The rows that were asked for, without the one that looks ahead. */
const onPage = (keyset: Keyset): SqlFragment => sql`FILTER (WHERE ${NUMBER} <= ${keyset.size})`

/**
 * An aggregate in the order of the page. Each one says it: as soon as one aggregate of a query has an order, the planner
 * may sort the rows for it, and those without one see them sorted its way.
 */
function inOrder(keyset: Keyset, value: SqlFragment): SqlFragment {
  const direction = keyset.forward ? sql`ASC` : sql`DESC`
  return sql`array_agg(${value} ORDER BY ${NUMBER} ${direction}) ${onPage(keyset)}`
}

function edgesText(
  context: PlanContext,
  query: QueryModel,
  members: readonly EdgeMember[],
  row: Row,
  keyset: Keyset,
): SqlFragment {
  const entries = members.map((member) => {
    const key = member.responseKey
    if (member.name === 'node') {
      const projection = project(below(context, key), requireSelection(member.selection), row, query.typeColumn)
      return { key, value: objectValue(projection, EMPTY) }
    }
    const typeName = sql`${literal(`${query.named.name}Edge`)}::text`
    return { key, value: member.name === 'cursor' ? cursorText(keyset, keyset.cursor) : typeName }
  })
  const edge = objectValue(projectEntries(entries), EMPTY)
  return sql`array_to_json(coalesce(${inOrder(keyset, edge)}, '{}'))::text`
}

/** Types whose text is too short for `encode` to break it into lines, which a cursor must not have. */
const SHORT = new Set(['int2', 'int4', 'int8', 'uuid'])

/** Base64 of the key's text (behaviours 6). */
function cursorText({ type }: Keyset, key: SqlFragment): SqlFragment {
  const encoded = sql`encode(convert_to(${key}::text, 'UTF8'), 'base64')`
  return type !== null && SHORT.has(type) ? encoded : sql`translate(${encoded}, E'\\n', '')`
}

function pageInfoText(
  members: readonly { readonly name: string; readonly responseKey: string }[],
  keyset: Keyset,
): SqlFragment {
  const more = sql`(count(*) > ${keyset.size})::text`
  const cursorAt = (index: SqlFragment): SqlFragment => {
    const key = sql`(${inOrder(keyset, keyset.cursor)})[${index}]`
    return sql`coalesce('"' || ${cursorText(keyset, key)} || '"', 'null')`
  }
  const values: Readonly<Record<string, () => string | SqlFragment>> = {
    hasNextPage: () => (keyset.forward ? more : String(keyset.before)),
    hasPreviousPage: () => (keyset.forward ? String(keyset.after) : more),
    startCursor: () => cursorAt(sql`1`),
    endCursor: () => cursorAt(sql`(count(*) ${onPage(keyset)})::int4`),
    __typename: () => '"PageInfo"',
  }
  return objectText(
    members.map(({ name, responseKey }) => {
      const value = values[name]
      if (value === undefined) throw new Error(`PageInfo has no ${name}`)
      return { key: responseKey, value: value() }
    }),
  )
}
