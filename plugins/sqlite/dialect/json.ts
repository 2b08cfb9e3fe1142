import {
  EMPTY,
  integer,
  join,
  literal,
  type Projection,
  type SqlFragment,
  type SqlMember,
  sql,
  type TextMember,
} from '../../../core/index.ts'

/** SQLite takes no more than 127 arguments where it is built as it always was. */
const MOST_MEMBERS = 60

/** An object as JSON text in one column, which every level above takes for JSON by `json(…)`. */
export function object(members: readonly SqlMember[]): Projection {
  const parts: SqlFragment[] = []
  for (let i = 0; i < Math.max(members.length, 1); i += MOST_MEMBERS) {
    const arguments_ = members.slice(i, i + MOST_MEMBERS).map(memberOf)
    parts.push(sql`json_object(${arguments_.length === 0 ? EMPTY : join(arguments_, ', ')})`)
  }
  return json(parts.length === 1 ? parts[0]! : mergedObjects(parts))
}

/** A row that is one JSON value. */
export function json(value: SqlFragment): Projection {
  return { columns: sql`${value} AS json`, value: sql`r$.json` }
}

function memberOf({ key, value, nested }: SqlMember): SqlFragment {
  return sql`${literal(key)}, ${nested ? sql`json(${value})` : value}`
}

/** Objects as one: their texts without the braces between them. */
function mergedObjects(objects: readonly SqlFragment[]): SqlFragment {
  const inner = objects.map(
    (part, index) => sql`${index === 0 ? sql`` : sql`',' || `}substr(${part}, 2, length(${part}) - 2)`,
  )
  return sql`'{' || ${join(inner, ' || ')} || '}'`
}

/** The values of rows as JSON text of a list, in the order in which the rows come. */
export function list(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment {
  return sql`(SELECT json_group_array(json(${value}))${from}${guard ?? EMPTY})`
}

/** An object put together as text. */
export function objectText(members: readonly TextMember[]): SqlFragment {
  const parts: SqlFragment[] = []
  let known = '{'
  for (const [index, { key, value }] of members.entries()) {
    known += `${index === 0 ? '' : ','}${JSON.stringify(key)}:`
    if (typeof value === 'string') known += value
    else {
      parts.push(literal(known), value)
      known = ''
    }
  }
  parts.push(literal(`${known}}`))
  return sql`(${join(parts, ' || ')})`
}

/** A key of a JSON object. @throws Error for a name that no path of SQLite can hold */
export function key(document: SqlFragment, name: string): { readonly json: SqlFragment; readonly text: SqlFragment } {
  if (/["\\]/.test(name)) throw new Error(`SQLite cannot read the key ${JSON.stringify(name)} of a document`)
  const path = literal(`$."${name}"`)
  return { json: sql`(${document} -> ${path})`, text: sql`(${document} ->> ${path})` }
}

export function isJson(value: SqlFragment, kind: 'object' | 'array'): SqlFragment {
  return sql`json_type(${value}) = ${literal(kind)}`
}

/** An item of a list as JSON; NULL when it is neither object nor list. */
export function item(alias: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${alias}.type IN ('object', 'array') THEN ${alias}.value END`
}

/** Rows over the items of a list; none when it is no list. */
export function itemRows(value: SqlFragment, alias: SqlFragment): SqlFragment {
  return sql`json_each(CASE WHEN ${isJson(value, 'array')} THEN ${value} END) ${alias}`
}

/** The items of a JSON list, each made into something else, in their order; NULL when it is none. */
export function listOfItems(
  value: SqlFragment,
  alias: SqlFragment,
  element: SqlFragment,
  guard: { readonly most: number; readonly having: SqlFragment } | null,
): SqlFragment {
  const most = guard === null ? EMPTY : sql` LIMIT ${integer(guard.most + 1)}`
  const rows = sql`SELECT ${element} AS v FROM ${itemRows(value, alias)} ORDER BY ${alias}.key${most}`
  const items = sql`(SELECT json_group_array(json(l$.v)) FROM (${rows}) l$${guard?.having ?? EMPTY})`
  return sql`CASE WHEN ${isJson(value, 'array')} THEN ${items} END`
}
