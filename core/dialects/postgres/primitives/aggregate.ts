import type { AggregateFunction } from '../../../contract/operation.ts'
import type { Target } from '../../../contract/plan/stored-value.ts'
import { identifier, join, literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { Period } from '../../../schema/group-keys.ts'
import type { GroupKey } from '../../primitives.ts'
import type { ComparedKeys, LookupTexts, SqlValue } from '../../sql-value.ts'
import { comparable, comparedType } from './comparable.ts'
import { cast } from './types.ts'

/** Returns the expression for grouping and comparing a value, with its type. */
function typedValue(target: Target, value: SqlValue): Pick<GroupKey, 'value' | 'type'> {
  const { named, type } = target
  const compared = comparable(target, value).value
  if (value.from === 'document') return { value: compared, type: type ?? 'text' }
  const isDay = named?.kind === 'scalar' && named.base === 'Date' && value.type?.startsWith('timestamp') === true
  return { value: compared, type: isDay ? 'date' : comparedType(value.type) }
}

export function groupKey(target: Target, value: SqlValue, period: Period | null): GroupKey {
  const typed = typedValue(target, value)
  const key = period === null ? typed : periodOf(typed, period)
  return { ...key, by: key.value }
}

/** Returns the start of the period in UTC, independent of the session's `TimeZone`. */
function periodOf({ value, type }: ReturnType<typeof typedValue>, period: Period): ReturnType<typeof typedValue> {
  const clock =
    type === 'timestamp' ? value : type === 'date' ? cast(value, 'timestamp') : sql`(${value} AT TIME ZONE 'UTC')`
  const start = sql`date_trunc(${literal(period)}, ${clock})`
  return period === 'hour'
    ? { value: sql`(${start} AT TIME ZONE 'UTC')`, type: 'timestamptz' }
    : { value: cast(start, 'date'), type: 'date' }
}

export function measure(name: AggregateFunction, target: Target, value: SqlValue): Pick<GroupKey, 'value' | 'type'> {
  const { value: own, type } = typedValue(target, value)
  const isFloat = target.named?.kind === 'scalar' && target.named.base === 'Float'
  switch (name) {
    case 'count':
      return { value: sql`count(${own})`, type: 'int8' }
    case 'countDistinct':
      return { value: sql`count(DISTINCT ${own})`, type: 'int8' }
    case 'min':
    case 'max': {
      // COLLATE "C" compares bytes, as most of these types sort. The default collation of the database may differ.
      const least = isOrderedAsText(target, type)
        ? { value: sql`${cast(own, 'text')} COLLATE "C"`, type: 'text' }
        : { value: own, type }
      return { ...least, value: name === 'min' ? sql`min(${least.value})` : sql`max(${least.value})` }
    }
    // A column of an exact type is summed exactly, even when the field is a Float.
    case 'sum':
      return isFloat && type !== 'numeric'
        ? { value: sql`sum(${cast(own, 'float8')})`, type: 'float8' }
        : { value: sql`sum(${exactly(own, type)})`, type: type === 'int2' || type === 'int4' ? 'int8' : 'numeric' }
    case 'avg':
      return isFloat
        ? { value: sql`avg(${cast(own, 'float8')})`, type: 'float8' }
        : { value: average(exactly(own, type)), type: 'numeric' }
  }
}

/** Types with `min` and `max` in every supported version. Others have an order but no such aggregates: uuid, bytea, ranges. */
const HAVE_ENDS = new Set(
  'int2 int4 int8 numeric float4 float8 text varchar bpchar name citext money date time timetz timestamp timestamptz interval inet cidr oid'.split(
    ' ',
  ),
)

/** Tests whether `min` and `max` use the text form: the field is declared as a text, and the type has no such aggregates. */
function isOrderedAsText({ named }: Target, type: string | null): boolean {
  if (named?.kind !== 'scalar' || named.base !== 'String' || type === null) return false
  return !HAVE_ENDS.has(type) && !type.startsWith('enum:') && !type.startsWith('_')
}

/** Types whose sums are exact without a cast. They take half as long as sums of `numeric`. */
const EXACT: ReadonlySet<string | null> = new Set(['int2', 'int4', 'int8', 'numeric'])

function exactly(own: SqlFragment, type: string | null): SqlFragment {
  return EXACT.has(type) ? own : cast(own, 'numeric')
}

/**
 * Averages exact numbers with at least sixteen decimal places: by itself `avg` has sixteen significant digits, too few for large numbers.
 * Trailing zeros are removed without `trim_scale`, which PostgreSQL 12 lacks.
 */
function average(own: SqlFragment): SqlFragment {
  const exact = sql`((sum(${own}) + 0.0000000000000000) / nullif(count(${own}), 0))`
  return sql`rtrim(rtrim(${exact}::text, '0'), '.')::numeric`
}

/**
 * Writes the JSON text of a list with one element per requested key, in the order of the keys. Each element is a
 * subquery of its own, so that it uses an index on the key.
 * @param parts the columns of the key, each with a list parameter of its values
 * @param alias table alias for the keys
 * @param element writes the element of a key, from the conditions that match the key and the values of `given`
 * @param given further values per key, as list parameters
 */
export function rowPerKey(
  parts: readonly ComparedKeys[],
  alias: SqlFragment,
  element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
  given: readonly LookupTexts[],
): SqlFragment {
  const compared = parts.map(({ keys, target }, index) => {
    const list = target.list(keys)
    // If the type cannot be named in a cast, texts are compared.
    const isTyped = list !== keys
    const column = index === 0 ? sql`v` : identifier(`v${index + 1}`)
    return {
      column,
      array: isTyped ? list : cast(keys, '_text'),
      matches: sql`${isTyped ? target.value : target.text} = ${alias}.${column}`,
    }
  })
  const beside = given.map(({ texts, type }, index) => {
    const column = identifier(`w${index + 1}`)
    return { column, array: cast(texts, '_text'), value: cast(sql`${alias}.${column}`, type) }
  })
  const row = element(
    compared.map(({ matches }) => matches),
    beside.map(({ value }) => value),
  )
  const lists = [...compared, ...beside]
  const arrays = join(
    lists.map(({ array }) => array),
    ', ',
  )
  const columns = join(
    lists.map(({ column }) => column),
    ', ',
  )
  const rows = sql`SELECT ${row} FROM unnest(${arrays}) WITH ORDINALITY ${alias}(${columns}, n) ORDER BY ${alias}.n`
  return sql`array_to_json(ARRAY(${rows}))::text`
}
