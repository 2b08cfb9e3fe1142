import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { CompiledField, CompiledRead, CompiledSchema, CompiledType } from '../../../core/schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../../../core/schema/type-ref.ts'
import type { GraphQLAnswer } from '../../helpers/open-app.ts'

const MOST = 100
/** Most fields of a query, whose complexity is limited. */
const FIELDS = 10

type Row = Readonly<Record<string, unknown>>
type Relation = Extract<CompiledRead, { from: 'relation' }>

export interface Compared {
  readonly compiled: CompiledSchema
  readonly graphql: (query: string) => Promise<GraphQLAnswer>
  readonly sql: (text: string) => Promise<readonly Row[]>
}

/**
 * Reads the first rows of a type with all its fields by its list query, and the same by SQL.
 * @returns the two results in the same form
 */
export async function compareType(
  { compiled, graphql, sql }: Compared,
  schema: AuthoredSchema,
  name: string,
): Promise<{ readonly answered: unknown; readonly stored: unknown }> {
  const type = compiled.types.find((one) => one.name === name)!
  const list = schema.queries!.find((query) => query.type === `[${name}!]!`)!
  const key = keyFields(type)
  const order = key.length === 0 ? '' : `, orderBy: [${key.map((field) => `{ ${field.wire_name}: ASC }`).join(', ')}]`
  const items: Row[] = []
  let totalCount: unknown
  // Rows without a key have no order that two queries share.
  const batch = key.length === 0 ? type.fields.length : FIELDS
  for (let from = 0; from < type.fields.length; from += batch) {
    const part = type.fields.slice(from, from + batch)
    const fields = part.map((field) => selectionOf(compiled, field)).join(' ')
    const answer = await graphql(`{ list: ${list.name}(limit: ${MOST}${order}) { totalCount items { ${fields} } } }`)
    if (answer.errors !== undefined) return { answered: answer.errors, stored: [] }
    totalCount = answer.data.list.totalCount
    for (const [i, item] of (answer.data.list.items as readonly Row[]).entries()) items[i] = { ...items[i], ...item }
  }
  const columns = type.fields.map((field) => `${sqlOf(compiled, field)} AS ${quoted(field.wire_name)}`).join(', ')
  const sorted = key.length === 0 ? '' : ` ORDER BY ${key.map((field) => `s.${quoted(columnOf(field))}`).join(', ')}`
  const source = relationName(compiled, type.sql_source!)
  const rows = await sql(`SELECT ${columns} FROM ${source} s${sorted} LIMIT ${MOST}`)
  const [{ count } = { count: 0 }] = await sql(`SELECT count(*)::int AS count FROM ${source}`)
  const inOrder = (all: readonly string[]): readonly string[] => (key.length === 0 ? [...all].sort() : all)
  return {
    answered: {
      totalCount,
      items: inOrder(items.map((item) => printRow(compiled, type, item, fromAnswer))),
    },
    stored: { totalCount: count, items: inOrder(rows.map((row) => printRow(compiled, type, row, fromSql))) },
  }
}

function printRow(
  compiled: CompiledSchema,
  type: CompiledType,
  row: Row,
  read: (compiled: CompiledSchema, field: CompiledField, value: unknown) => unknown,
): string {
  return JSON.stringify(type.fields.map((field) => [field.wire_name, read(compiled, field, row[field.wire_name])]))
}

function scalarOf(field: CompiledField): string {
  return namedTypeOf(parseTypeRef(field.type)!).name
}

function keyFields(type: CompiledType): readonly CompiledField[] {
  const key = type.key === undefined ? ['id'] : [type.key].flat()
  const found = key.map((column) => type.fields.find(({ read }) => read?.from === 'column' && read.column === column))
  return found.includes(undefined) ? [] : (found as readonly CompiledField[])
}

function columnOf({ read }: CompiledField): string {
  return read?.from === 'column' ? read.column : ''
}

function selectionOf(compiled: CompiledSchema, field: CompiledField): string {
  if (field.read?.from !== 'relation') return field.wire_name
  const target = compiled.types.find(({ name }) => name === scalarOf(field))!
  const key = keyFields(target).map(({ wire_name: name }) => name)
  return `${field.wire_name} { ${key.length === 0 ? '__typename' : key.join(' ')} }`
}

function sqlOf(compiled: CompiledSchema, field: CompiledField): string {
  if (field.read?.from === 'relation') return relatedOf(compiled, field, field.read)
  const column = `s.${quoted(columnOf(field))}`
  const scalar = scalarOf(field)
  if (field.type.startsWith('[') || scalar === 'JSON') return `to_jsonb(${column})`
  if (scalar === 'DateTime') return `extract(epoch from ${column})::float8`
  if (['Int', 'Float'].includes(scalar)) return `${column}::float8`
  return scalar === 'Boolean' ? column : textOf(column)
}

/** The keys of the related row, or the number of rows. */
function relatedOf(compiled: CompiledSchema, field: CompiledField, read: Relation): string {
  const target = compiled.types.find(({ name }) => name === scalarOf(field))!
  const pairs = [read, ...(read.also ?? [])]
  const ends = read.through === undefined ? 't' : 'j'
  const own = pairs.map((pair) => `${ends}.${quoted(pair.to_column)} = s.${quoted(pair.from_column)}`).join(' AND ')
  const on = read.through === undefined ? own : joined(compiled, read.through, own)
  const key = keyFields(target).map((one) => textOf(`t.${quoted(columnOf(one))}`))
  const what = read.cardinality === 'many' ? 'count(*)::int' : `jsonb_build_array(${key.join(', ')})`
  return `(SELECT ${what} FROM ${relationName(compiled, target.sql_source!)} t WHERE ${on})`
}

/** Is there a row of the join table? */
function joined(compiled: CompiledSchema, { source, pairs }: NonNullable<Relation['through']>, own: string): string {
  const ends = pairs.map((pair) => `t.${quoted(pair.to_column)} = j.${quoted(pair.from_column)}`)
  return `EXISTS (SELECT FROM ${relationName(compiled, source)} j WHERE ${[own, ...ends].join(' AND ')})`
}

function fromAnswer(compiled: CompiledSchema, field: CompiledField, value: unknown): unknown {
  if (field.read?.from === 'relation') {
    if (Array.isArray(value)) return value.length
    const target = compiled.types.find(({ name }) => name === scalarOf(field))!
    return value === null ? null : keyFields(target).map((one) => String((value as Row)[one.wire_name]))
  }
  const values = compiled.enums.find(({ name }) => name === scalarOf(field))?.values
  const stored = (name: unknown): unknown => {
    const found = values?.find((one) => one.name === name)
    return found === undefined ? name : (found.value ?? found.name)
  }
  if (Array.isArray(value) && scalarOf(field) !== 'JSON')
    return value.map((item) => plain(field, values === undefined ? item : stored(item)))
  return plain(field, values === undefined ? value : stored(value))
}

function fromSql(_compiled: CompiledSchema, field: CompiledField, value: unknown): unknown {
  if (field.read?.from === 'relation') return value
  if (Array.isArray(value) && scalarOf(field) !== 'JSON') return value.map((item) => plain(field, item))
  return plain(field, value)
}

const AS_TEXT = ['ID', 'String', 'BigInt', 'UUID', 'Date']

/** A value in a form that does not depend on its spelling. Of scalars with several spellings, only whether it is null. */
function plain(field: CompiledField, value: unknown): unknown {
  if (value === null) return null
  const scalar = scalarOf(field)
  if (scalar === 'DateTime') return typeof value === 'number' ? value : Date.parse(String(value)) / 1000
  if (scalar === 'Decimal') return Number(value)
  if (scalar === 'JSON' || scalar === 'Int' || scalar === 'Float' || scalar === 'Boolean') return value
  return AS_TEXT.includes(scalar) || field.read?.from !== 'column' ? String(value) : 'a value'
}

function relationName(compiled: CompiledSchema, source: string): string {
  const { schema, name } = compiled.sources[source]!
  return schema === undefined ? quoted(name) : `${quoted(schema)}.${quoted(name)}`
}

/** A cast to text would drop the blanks at the end of `char(n)`. */
function textOf(column: string): string {
  return `(to_jsonb(${column}) #>> '{}')`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
