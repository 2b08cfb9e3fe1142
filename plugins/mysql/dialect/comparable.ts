import type { Comparable, SqlFragment, SqlValue, Target } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import type { Flavour } from './flavour.ts'
import { bytesText, comparedForm, comparedType, textOf } from './forms.ts'
import { orNull, tableOf } from './json.ts'
import { type Kind, kindOf, kindOfType, NUMBERS } from './kind.ts'
import { shownForm } from './shown-form.ts'
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
  const isShort = target.named?.kind === 'scalar' && target.named.base === 'Int'
  if (target.list) return listComparable(flavour, kind, value, isShort)
  const compared = comparedValue(flavour, kind, value, isShort)
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

function comparedValue(flavour: Flavour, kind: Kind, value: SqlValue, isShort: boolean): SqlFragment {
  if (kind === 'json') return flavour.jsonKey(value.from === 'column' ? value.sql : value.json)
  if (value.from === 'document') return shownForm(flavour, kind, value, isShort)
  const { sql: column, type } = value
  if (type === null) return column
  const stored = kindOfType(type)
  if (kind === 'text') return columnText(column, type)
  if (stored === kind || kind === 'uuid' || (NUMBERS.has(kind) && NUMBERS.has(stored))) return column
  if (kind === 'boolean' && NUMBERS.has(stored)) return column
  if (kind === 'datetime' && stored === 'date') return column
  if (kind === 'date' && stored === 'datetime') return sql`CAST(${column} AS DATE)`
  return shownForm(flavour, kind, { json: null, text: textOf(column) }, isShort)
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
function listComparable(flavour: Flavour, kind: Kind, value: SqlValue, isShort: boolean): KeyComparable {
  const { json } = jsonOf(flavour, value)
  const list = (slot: SqlFragment): SqlFragment =>
    itemKeys(convertSlot(slot, operandValue(kind)), operandKey(flavour, kind))
  return {
    value: sql`CASE WHEN JSON_TYPE(${json}) = 'ARRAY' THEN ${itemKeys(json, storedKey(flavour, kind, isShort))} END`,
    text: json,
    operand: list,
    list,
    position: () => sql`NULL`,
    keys: (slot) => slot,
    item: (item) => item,
  }
}

function itemKeys(json: SqlFragment, own: SqlFragment): SqlFragment {
  const items = sql`GROUP_CONCAT(${orNull(sql`JSON_QUOTE(${own})`)} ORDER BY e$.n SEPARATOR ',')`
  return sql`(SELECT CONCAT('[', COALESCE(${items}, ''), ']') FROM ${tableOf(json, sql`e$`)})`
}

/** An item of a stored list, as a text that equal items share. */
function storedKey(flavour: Flavour, kind: Kind, isShort: boolean): SqlFragment {
  if (kind === 'json') return flavour.jsonKey(sql`e$.j`)
  return textOf(shownForm(flavour, kind, { json: sql`e$.j`, text: sql`e$.v` }, isShort))
}

/** The same for an item of an operand, which is a text. */
function operandKey({ exact, jsonKey }: Flavour, kind: Kind): SqlFragment {
  switch (kind) {
    case 'json':
      return jsonKey(sql`e$.v`)
    case 'boolean':
    case 'text':
    case 'bytes':
    case 'uuid':
      return sql`e$.v`
    default:
      return textOf(comparedForm(kind, sql`e$.v`, exact))
  }
}
