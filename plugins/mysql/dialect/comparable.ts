import type { Comparable, SqlFragment, SqlValue, Target } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import type { Flavour } from './flavour.ts'
import { bytesText, comparedForm, comparedType, momentOf, textOf } from './forms.ts'
import { orNull, tableOf } from './json.ts'
import { type Kind, kindOf, kindOfType, NUMBERS } from './kind.ts'
import { bothCases, convertSlot, operandValue } from './slot-values.ts'

/** What a lookup by keys needs besides: how a key in a JSON list is compared. */
export interface KeyComparable extends Comparable {
  /** Converts a list parameter of keys. */
  readonly keys: (slot: SqlFragment) => SqlFragment
  /** Writes a key, as an item of the converted list, in the form of `value`. */
  readonly item: (json: SqlFragment) => SqlFragment
}

/** Writes the left side of a comparison, and how its operand is written, so that values compare by their GraphQL type. */
export function comparable(flavour: Flavour, target: Omit<Target, 'value'>, value: SqlValue): KeyComparable {
  const type = target.type ?? (value.from === 'column' ? value.type : null)
  const kind = kindOf(target.named, type)
  if (target.list) return listComparable(flavour, kind, value)
  const compared = comparedValue(flavour, kind, value)
  const text = value.from === 'column' ? columnText(value.sql, value.type) : sql`${value.text} COLLATE ${flavour.exact}`
  const operand = operandOf(flavour, kind, type)
  const cases = isTextUuid(kind, type) ? bothCases : null
  const lower = operandValue(kind)
  const convert = (slot: SqlFragment): SqlFragment =>
    convertSlot(slot, (given) => (cases === null ? lower(given) : cases(lower(given))))
  const item = itemOf(kind, type)
  const columnType = comparedType(kind, type)
  return {
    value: compared,
    text,
    operand,
    list(slot) {
      if (columnType === null) return sql`(SELECT ${item(sql`l$.j`)} FROM ${tableOf(convert(slot), sql`l$`)})`
      return sql`(SELECT l$.v FROM JSON_TABLE(${convert(slot)}, '$[*]' COLUMNS (v ${tableType(kind, columnType)} PATH '$')) l$)`
    },
    position(slot) {
      const sought = kind === 'uuid' ? sql`LOWER(${textOf(compared)})` : compared
      const found = columnType === null ? sql`JSON_UNQUOTE(l$.j)` : item(sql`l$.j`)
      return sql`(SELECT MIN(l$.n) FROM ${tableOf(convertSlot(slot, lower), sql`l$`)} WHERE ${found} = ${sought})`
    },
    keys: (slot) => convertSlot(slot, lower),
    item: cases === null ? item : (json) => sql`${item(json)}, UPPER(${item(json)})`,
  }
}

/** Is it a UUID in a column of type CHAR, which may have either case? */
function isTextUuid(kind: Kind, type: string | null): boolean {
  return kind === 'uuid' && type !== 'bytea'
}

function tableType(kind: Kind, type: SqlFragment): SqlFragment {
  return kind === 'integer' || kind === 'boolean' ? sql`BIGINT` : type
}

/** How an item of a list parameter is compared. Its collation gives way to that of the column. */
function itemOf(kind: Kind, type: string | null): (json: SqlFragment) => SqlFragment {
  const target = comparedType(kind, type)
  if (target !== null) return (json) => sql`CAST(JSON_UNQUOTE(${json}) AS ${target})`
  if (kind === 'uuid' && type === 'bytea') return (json) => sql`UNHEX(REPLACE(JSON_UNQUOTE(${json}), '-', ''))`
  return (json) => sql`JSON_UNQUOTE(${json})`
}

function operandOf({ jsonKey }: Flavour, kind: Kind, type: string | null): Comparable['operand'] {
  const convert = operandValue(kind)
  const target = comparedType(kind, type)
  if (target !== null) return (slot) => sql`CAST(${convertSlot(slot, convert)} AS ${target})`
  if (kind === 'json') return jsonKey
  if (kind !== 'uuid') return (slot) => slot
  if (type === 'bytea') return (slot) => sql`UNHEX(REPLACE(${slot}, '-', ''))`
  return (slot) => {
    const upper = convertSlot(slot, (value) => (typeof value === 'string' ? value.toUpperCase() : value))
    return sql`${convertSlot(slot, convert)}, ${upper}`
  }
}

function comparedValue({ exact, jsonKey }: Flavour, kind: Kind, value: SqlValue): SqlFragment {
  if (kind === 'json') return jsonKey(value.from === 'column' ? value.sql : value.json)
  if (value.from === 'document') return comparedForm(kind, value.text, exact)
  const { sql: column, type } = value
  if (type === null) return column
  const stored = kindOfType(type)
  if (kind === 'text') return columnText(column, type)
  if (stored === kind || kind === 'uuid' || (NUMBERS.has(kind) && NUMBERS.has(stored))) return column
  if (kind === 'boolean' && NUMBERS.has(stored)) return column
  if (kind === 'datetime') return stored === 'date' ? column : momentOf(textOf(column))
  if (kind === 'date')
    return stored === 'datetime' ? sql`CAST(${column} AS DATE)` : sql`CAST(${textOf(column)} AS DATE)`
  return comparedForm(kind, textOf(column), exact)
}

/** Writes a column as text. A text keeps its collation. */
export function columnText(column: SqlFragment, type: string | null): SqlFragment {
  const kind = kindOfType(type)
  if (kind === 'bytes') return bytesText(column)
  // BIT(1) as text is a byte.
  if (kind === 'boolean') return textOf(sql`${column} + 0`)
  return kind === 'text' || kind === 'json' ? column : textOf(column)
}

/** Writes a value as JSON: a JSON column, or a member of a JSON document. */
export function jsonOf(
  { jsonText }: Flavour,
  value: SqlValue,
): { readonly json: SqlFragment; readonly jsonb: boolean } {
  return { json: value.from === 'document' ? value.json : jsonText(value.sql), jsonb: false }
}

/**
 * A list of scalars or enums, as a JSON list of texts. Equal items have equal texts.
 */
function listComparable(flavour: Flavour, kind: Kind, value: SqlValue): KeyComparable {
  const { json } = jsonOf(flavour, value)
  const list = (slot: SqlFragment): SqlFragment => itemKeys(flavour, kind, convertSlot(slot, operandValue(kind)), true)
  return {
    value: sql`CASE WHEN JSON_TYPE(${json}) = 'ARRAY' THEN ${itemKeys(flavour, kind, json, false)} END`,
    text: json,
    operand: list,
    list,
    position: () => sql`NULL`,
    keys: (slot) => slot,
    item: (item) => item,
  }
}

function itemKeys(flavour: Flavour, kind: Kind, json: SqlFragment, isOperand: boolean): SqlFragment {
  const own = itemKey(flavour, kind, isOperand)
  const items = sql`GROUP_CONCAT(${orNull(sql`JSON_QUOTE(${own})`)} ORDER BY e$.n SEPARATOR ',')`
  return sql`(SELECT CONCAT('[', COALESCE(${items}, ''), ']') FROM ${tableOf(json, sql`e$`)})`
}

function itemKey({ exact, jsonKey }: Flavour, kind: Kind, isOperand: boolean): SqlFragment {
  switch (kind) {
    // An operand is the text of a JSON value, in a list of texts.
    case 'json':
      return isOperand ? jsonKey(sql`e$.v`) : jsonKey(sql`e$.j`)
    case 'boolean':
      return sql`CASE WHEN e$.v IN ('true', '1') THEN '1' WHEN e$.v IS NOT NULL THEN '0' END`
    case 'text':
    case 'bytes':
      return sql`e$.v`
    case 'uuid':
      return sql`LOWER(e$.v)`
    default:
      return textOf(comparedForm(kind, sql`e$.v`, exact))
  }
}
