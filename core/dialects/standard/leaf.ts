import type { Leaf } from '../../contract/plan/read-plan.ts'
import { literal, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { EnumType, FieldModel, ScalarType } from '../../schema/model.ts'
import type { LeafProof, SqlValue } from '../sql-value.ts'
import { AVERAGE, inUtc } from './comparable.ts'
import type { FullStandardSql } from './standard-sql.ts'

type Field = Leaf['field']

/** Writes SQL for a scalar or enum field, or a list of these, whose value as JSON is that of the response. */
export function leaf(dialect: FullStandardSql, { name, named, type }: Field, value: SqlValue): SqlFragment {
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw new Error(`${name} is no leaf`)
  if (type.kind !== 'list') return single(dialect, named, value)
  const { json, jsonb } = dialect.jsonOf(value)
  if (type.of.kind === 'list' || (named.kind === 'scalar' && AS_STORED.has(named.base))) return json
  const item = single(dialect, named, { from: 'document', json: sql`e$.j`, text: sql`e$.t`, jsonb })
  return dialect.listOfItems(json, jsonb, sql`e$`, item, null)
}

/** Scalars whose items need no conversion in a list. Those of another type fail the check of the response. */
const AS_STORED = new Set(['String', 'UUID', 'Time', 'Int', 'Float', 'Boolean', 'JSON'])

function single(dialect: FullStandardSql, named: ScalarType | EnumType, value: SqlValue): SqlFragment {
  if (named.kind === 'enum')
    return enumName(named, value.from === 'column' ? dialect.cast(value.sql, 'text') : value.text)
  return value.from === 'column' ? ofColumn(dialect, named.base, value) : ofDocument(dialect, named.base, value)
}

/** Converts a stored value to its name. Any other value gets a form that no name has, so that the response refuses it. */
function enumName(type: EnumType, text: SqlFragment): SqlFragment {
  if (type.values.every(({ name, value }) => name === value)) return text
  let cases = sql`CASE ${text}`
  for (const { name, value } of type.values) cases = sql`${cases} WHEN ${literal(value)} THEN ${literal(name)}`
  return sql`${cases} ELSE '?' || ${text} END`
}

const LARGEST = sql`1.7976931348623157E308`

function ofColumn(dialect: FullStandardSql, base: string, value: Extract<SqlValue, { from: 'column' }>): SqlFragment {
  const { sql: column, type } = value
  const asText = (own: SqlFragment): SqlFragment => dialect.cast(own, 'text')
  switch (base) {
    case 'Int':
    case 'Boolean':
      return column
    case 'Float': {
      // JSON has no infinity: such a value becomes a text, which the check of the response refuses.
      const number = dialect.cast(column, 'float8')
      return sql`CASE WHEN abs(${number}) <= ${LARGEST} THEN ${dialect.toJson(number)} ELSE ${dialect.toJson(asText(number))} END`
    }
    case 'JSON':
      return dialect.jsonOf(value).json
    case 'DateTime':
      return moment(dialect, inUtc(dialect, column, type))
    case 'Date':
      return asText(dialect.cast(column, 'date'))
    case 'Time':
      return asText(dialect.cast(column, 'time'))
    default:
      if (type === AVERAGE) return sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${asText(column)}))`
      return type === 'text' ? column : asText(column)
  }
}

/** Writes a point in time in UTC as svc's clients get it: `2024-01-31T08:00:00+00:00`. */
function moment(dialect: FullStandardSql, utc: SqlFragment): SqlFragment {
  return sql`(replace(${dialect.cast(utc, 'text')}, ' ', 'T') || '+00:00')`
}

/** A value under a key can be of any type. One that the field does not show stays as it is, for the check to refuse it. */
function ofDocument(
  dialect: FullStandardSql,
  base: string,
  { json, text }: Extract<SqlValue, { from: 'document' }>,
): SqlFragment {
  switch (base) {
    case 'Decimal':
    case 'BigInt':
      return text
    case 'DateTime':
      return sql`coalesce(${moment(dialect, inUtc(dialect, dialect.tryCast(text, dialect.types.timestamptz!), 'timestamptz'))}, '?' || ${text})`
    case 'Date':
      return sql`coalesce(${dialect.cast(dialect.tryCast(text, dialect.types.date!), 'text')}, '?' || ${text})`
    default:
      return json
  }
}

/** Types of columns that are shown as a time without a cast that may fail. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
  DateTime: ['timestamp', 'timestamptz', 'date'],
  Date: ['timestamp', 'timestamptz', 'date'],
  Time: ['time', 'timestamp', 'timestamptz'],
}

/** Tests whether reading a field casts its column to a type that some stored values may not fit: a text to `DateTime`. */
export function isReadByCast({ named, read }: Pick<FieldModel, 'named' | 'read'>): boolean {
  if (named.kind !== 'scalar' || read?.from !== 'column') return false
  return TIMES[named.base]?.includes(read.column_type ?? '') === false
}

/** Scalars that a column shows as a text. */
const PLAIN = new Set(['ID', 'String', 'UUID', 'Decimal', 'BigInt', 'DateTime', 'Date', 'Time'])

/** Writes the text of a field without the quotes of a JSON string; `null`: it has quotes only where its value is a text. */
export function leafPlain(dialect: FullStandardSql, field: Field, value: SqlValue): SqlFragment | null {
  const { named, type } = field
  if (value.from !== 'column' || type.kind === 'list') return null
  const isText = named.kind === 'enum' || (named.kind === 'scalar' && PLAIN.has(named.base))
  return isText ? dialect.leaf(field, value) : null
}

/** Types of columns whose values need no check, by scalar. `null`: those of any type. */
const PROVEN: Readonly<Record<string, readonly string[] | null>> = {
  ID: null,
  String: null,
  JSON: null,
  Int: ['int2', 'int4'],
  BigInt: ['int2', 'int4', 'int8'],
  Decimal: ['int2', 'int4', 'int8', 'numeric', AVERAGE],
  Boolean: ['bool'],
  UUID: ['uuid'],
  Time: ['time'],
}

/** Returns whether the value of a leaf is certain to have the type of its field. */
export function proof({ named, type }: Field, value: SqlValue): LeafProof {
  if (named.kind !== 'scalar') return named.kind === 'enum' ? 'none' : 'proven'
  if (value.from !== 'column' || type.kind === 'list') return 'none'
  const types = PROVEN[named.base]
  return types === null || types?.includes(value.type ?? '') === true ? 'proven' : 'none'
}
