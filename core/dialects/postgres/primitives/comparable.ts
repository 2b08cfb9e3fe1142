import type { Operand } from '../../../contract/plan/condition.ts'
import type { Target } from '../../../contract/plan/stored-value.ts'
import { qualified, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { isPlace } from '../../../schema/place.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import type { PageKey } from '../../page-sql.ts'
import type { Comparable, SqlValue } from '../../sql-value.ts'
import { castDocument } from './cast-document.ts'
import { arrayOfTexts, jsonOf, jsonTypeof } from './leaf.ts'
import { placeComparable } from './place.ts'
import { cast } from './types.ts'

/** Types whose JSON form is ISO 8601, independent of the session's `DateStyle`. */
const DATES = new Set(['timestamptz', 'timestamp', 'date'])

/** Built-in column types, whose names are valid in a cast on every server. Parameters of other types are left to type inference. */
const BUILTIN = new Set(
  'bool int2 int4 int8 numeric float4 float8 text varchar bpchar name uuid date time timetz timestamp timestamptz interval json jsonb inet cidr macaddr bytea money oid tsvector'.split(
    ' ',
  ),
)
const TEXT = new Set(['text', 'varchar', 'bpchar', 'name', 'citext'])
/** Types without an order, or whose `=` compares something else, such as the area of a box. Their text form is compared instead. */
const AS_TEXT = new Set(
  'tsvector tsquery xml point line lseg box path polygon circle jsonpath xid cid txid_snapshot pg_snapshot refcursor hstore cube seg regclass regproc regprocedure regtype regrole regnamespace'.split(
    ' ',
  ),
)
/** Types whose JSON text differs from a cast to text: times are ISO 8601, host addresses have no mask. */
const SHOWN_BY_JSON = new Set(['date', 'timestamp', 'timestamptz', 'inet'])

/**
 * Returns the SQL of a stored value for a comparison. A column keeps its own type; a key of a JSON document is cast to
 * the type of the target.
 * @param target the field that is compared, with the type to compare it in
 */
export function comparable(target: Omit<Target, 'value'>, stored: SqlValue): Comparable {
  const { named, type } = target
  const value = comparableValue(stored)
  if (named === null) return storedComparable(value, type)
  if (value.from === 'column' && value.place !== undefined && named.kind === 'scalar' && isPlace(scalarOf(named)))
    return placeComparable(value.place, named, value.sql)
  if (target.list) return listComparable(value, type)
  if (type === 'jsonb') return jsonComparable(value)
  if (value.from === 'document') {
    return typed(type === null || type === 'text' ? value.text : castDocument(value, type), value.text, type)
  }
  // The column may be of an SQL enum: the database infers the parameter from it.
  if (named.kind === 'enum') return typed(value.sql, cast(value.sql, 'text'), null)
  const text = shownText(value.sql, value.type)
  if (comparedType(value.type) !== value.type) {
    const own = typed(text, text, 'text')
    return value.type === 'tsvector' ? { ...own, words: value.sql } : own
  }
  if (named.base === 'Date' && value.type?.startsWith('timestamp')) return typed(cast(value.sql, 'date'), text, 'date')
  if (scalarOf(named).group === 'datetime' && value.type === 'timestamp') {
    return {
      value: value.sql,
      text,
      operand: (slot) => sql`${slot}::timestamptz::timestamp`,
      list: (slot) => sql`${slot}::timestamptz[]::timestamp[]`,
    }
  }
  return typed(value.sql, text, type)
}

/**
 * Returns the type in which a column of a PostgreSQL type is compared: `text` for types without an order or with an
 * unusual `=`, otherwise the type itself. `null`: unknown.
 */
export function comparedType(type: string | null): string | null {
  return type !== null && (AS_TEXT.has(type) || type.startsWith('row:')) ? 'text' : type
}

/** Returns the text of a column of another type, as a field declared as a text shows it. */
function shownText(column: SqlFragment, type: string | null): SqlFragment {
  if (type === null) return cast(column, 'text')
  if (SHOWN_BY_JSON.has(type)) return sql`(to_json(${column}) #>> '{}')`
  return TEXT.has(type) ? column : cast(column, 'text')
}

/** Compares a column in its stored type. Parameters have the same type; for an enum, whose name is unknown here, the database infers it. */
function storedComparable(value: SqlValue, type: string | null): Comparable {
  const plain = value.from === 'column' ? value.sql : value.text
  const isEnum = type?.startsWith('enum:') === true
  const named = isEnum ? null : type
  return {
    value: plain,
    text: isEnum ? cast(plain, 'text') : plain,
    operand: (slot) => (named === null ? slot : cast(slot, named)),
    list: (slot) => (named === null ? slot : cast(slot, `_${named}`)),
  }
}

/** Casts a parameter to a type if the type is built in. Otherwise it stays uncast, and PostgreSQL infers its type. */
export function castParameter(slot: SqlFragment, type: string | null): SqlFragment {
  return type !== null && BUILTIN.has(type) ? cast(slot, type) : slot
}

function typed(value: SqlFragment, text: SqlFragment, type: string | null): Comparable {
  const castable = type !== null && BUILTIN.has(type)
  return {
    value,
    text,
    operand: (slot) => castParameter(slot, type),
    list: (slot) => (castable ? cast(slot, `_${type}`) : slot),
  }
}

function jsonComparable(value: SqlValue): Comparable {
  const { json, jsonb } = jsonOf(value)
  const target = jsonb ? json : cast(json, 'jsonb')
  return typed(target, cast(target, 'text'), 'jsonb')
}

/** Compares a list of scalars or enums as an array. `operand` and `list` both cast an array parameter. */
function listComparable(value: SqlValue, element: string | null): Comparable {
  if (value.from === 'column' && value.type !== 'json' && value.type !== 'jsonb') {
    // json[] has no comparison operators.
    const compared = element === 'json' ? 'jsonb' : comparedType(element)
    return arrayComparable(compared === element ? value.sql : cast(value.sql, `_${compared}`), compared)
  }
  const { json, jsonb } = jsonOf(value)
  if (element === 'jsonb')
    return arrayComparable(arrayOfItems(jsonb ? json : cast(json, 'jsonb'), true, sql`e.v`), element)
  if (element === null || element === 'text') return arrayComparable(arrayOfTexts(json, jsonb, sql`e.v`), element)
  const item = castDocument({ from: 'document', json: sql`e.v`, text: sql`(e.v #>> '{}')`, jsonb }, element)
  return arrayComparable(arrayOfItems(json, jsonb, item), element)
}

/**
 * Like {@link arrayOfTexts}, with JSON items.
 * @param element expression over `e.v`, the element's JSON
 */
function arrayOfItems(json: SqlFragment, jsonb: boolean, element: SqlFragment): SqlFragment {
  const elements = jsonb ? sql`jsonb_array_elements` : sql`json_array_elements`
  const rows = sql`SELECT ${element} FROM ${elements}(${json}) WITH ORDINALITY e(v, n) ORDER BY e.n`
  return sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'array' THEN ARRAY(${rows}) END`
}

function arrayComparable(value: SqlFragment, element: string | null): Comparable {
  const array = (slot: SqlFragment): SqlFragment => {
    if (element === null) return slot
    if (element === 'timestamp') return sql`${slot}::timestamptz[]::timestamp[]`
    if (BUILTIN.has(element)) return cast(slot, `_${element}`)
    // Operators of an extension may accept a list and one item: ltree[] @> ltree. The planner removes the constant CASE.
    return sql`CASE WHEN true THEN ${slot} ELSE ${value} END`
  }
  return { value, text: cast(value, 'text'), operand: array, list: array }
}

/**
 * Casts the parameter of a filter operator to the type of its operand, for operators whose operand has the same type
 * for every column.
 */
export function castOperand(
  kind: Exclude<Operand['kind'], 'boolean' | 'field' | 'list'>,
  slot: SqlFragment,
): SqlFragment {
  switch (kind) {
    case 'int':
      return cast(slot, 'int4')
    case 'strings':
      return cast(slot, '_text')
    case 'json':
      return cast(slot, 'jsonb')
    case 'string':
      return cast(slot, 'text')
  }
}

/**
 * Returns the sort key of a keyset page from a stored value. Rows are sorted by it in the same order in which filters
 * compare values, see {@link comparable}.
 */
export function sortKey(target: Omit<Target, 'value'>, given: SqlValue): PageKey {
  const { value, type } = sorted(target, given)
  const iso = type !== null && DATES.has(type)
  return {
    value,
    text: iso ? sql`(to_json(${value}) #>> '{}')` : cast(value, 'text'),
    operand: (slot) => castParameter(slot, type),
  }
}

function sorted(
  target: Omit<Target, 'value'>,
  given: SqlValue,
): { readonly value: SqlFragment; readonly type: string | null } {
  const { named, type } = target
  if (given.from === 'document') {
    // The key of a page has no scalar that decides how it is compared. As a NULL, a row would be on no page, so that the cast may fail.
    const value = named === null && type !== null && type !== 'text' ? cast(given.text, type) : null
    return { value: value ?? comparable(target, given).value, type: type ?? 'text' }
  }
  const { value } = comparable(target, given)
  const isDay = named?.kind === 'scalar' && named.base === 'Date' && given.type?.startsWith('timestamp') === true
  return { value, type: isDay ? 'date' : comparedType(given.type) }
}

const DOMAIN = /^enum:(.*) in (.*)$/s

/**
 * Returns svc's name for the type of a domain over an enum: `enum:mood in app`.
 * @param name name of the enum
 * @param schema schema of the enum
 */
export function domainOverEnum(name: string, schema: string): string {
  return `enum:${name} in ${schema}`
}

/**
 * Casts a column whose type is a domain over an enum to the enum, and returns other columns unchanged. PostgreSQL
 * cannot compare such a domain with a parameter of unknown type. An index on the column remains usable.
 */
export function asEnum(column: SqlFragment, type: string | null): SqlFragment {
  const match = type === null ? null : DOMAIN.exec(type)
  return match === null ? column : sql`${column}::${qualified(match[2], match[1]!)}`
}

/**
 * Casts a stored value to its enum if it is a column of a domain over an enum, see {@link asEnum}. Other values stay
 * unchanged.
 */
export function comparableValue(value: SqlValue): SqlValue {
  return value.from === 'column' ? { ...value, sql: asEnum(value.sql, value.type) } : value
}
