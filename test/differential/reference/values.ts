import type { FieldModel } from '../../../core/doors/plugin.ts'
import { type Parsed, parseExactly } from '../json-text.ts'
import { type Json, Token } from '../request.ts'
import { plainText, type Source, type Stored } from './rows.ts'
import { clockText, momentText } from './wire.ts'

/** A value in the form in which values of its kind are compared. */
export type Comparable =
  /** Of a list: equal to nothing. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'integer'; readonly integer: bigint }
  | { readonly kind: 'double'; readonly double: number }
  | { readonly kind: 'decimal'; readonly digits: bigint; readonly scale: number }
  | { readonly kind: 'boolean'; readonly yes: boolean }

export function compare(a: Comparable, b: Comparable): number {
  if (a.kind === 'nothing' || b.kind === 'nothing') return Number.NaN
  if (a.kind === 'text' && b.kind === 'text') return Buffer.compare(Buffer.from(a.text), Buffer.from(b.text))
  if (a.kind === 'integer' && b.kind === 'integer') return sign(a.integer - b.integer)
  if (a.kind === 'double' && b.kind === 'double') return a.double - b.double
  if (a.kind === 'boolean' && b.kind === 'boolean') return Number(a.yes) - Number(b.yes)
  if (a.kind === 'decimal' && b.kind === 'decimal') {
    const scale = Math.max(a.scale, b.scale)
    return sign(a.digits * 10n ** BigInt(scale - a.scale) - b.digits * 10n ** BigInt(scale - b.scale))
  }
  throw new Error(`${a.kind} and ${b.kind} are not compared`)
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** What a field holds; `null`: nothing. Of lists their items, `null` among them for a null. */
export function comparableOf(field: FieldModel, stored: Stored | null): Comparable | readonly Comparable[] | null {
  if (stored === null) return null
  const { type } = field
  const base = baseOf(field)
  if (type.kind === 'list') {
    const list = stored.from === 'column' ? parseExactly(stored.text) : stored.value
    return list.kind === 'list'
      ? list.items.map((item) => (isNull(item) ? NOTHING : ofText(base, plainText(item), null)))
      : null
  }
  if (stored.from === 'column') return ofText(base, stored.text, stored.type)
  return ofText(base, plainText(stored.value), null)
}

/** A value that a client gives for a field; of a list, an item. */
export function operandOf(field: FieldModel, value: Json, _source: Source | null): Comparable {
  const { named, read } = field
  const text =
    named.kind === 'enum' ? named.toValue.get(String(value))! : value instanceof Token ? value.text : String(value)
  return ofText(baseOf(field), text, read?.from === 'column' ? read.column_type : null)
}

/** By the type of a column. */
export function comparableOfText(text: string, type: string | null): Comparable {
  return ofText('ID', text, type)
}

const NOTHING: Comparable = { kind: 'nothing' }

function isNull(item: Parsed): boolean {
  return item.kind === 'word' && item.text === 'null'
}

function baseOf({ named }: FieldModel): string {
  return named.kind === 'scalar' ? named.base : 'String'
}

function ofText(base: string, text: string, type: string | null): Comparable {
  switch (base) {
    case 'Int':
    case 'BigInt':
      return { kind: 'integer', integer: BigInt(text) }
    case 'Float':
      return { kind: 'double', double: Number(text) }
    case 'Decimal':
      return decimal(text)
    case 'Boolean':
      return { kind: 'boolean', yes: text === 'true' || text === '1' }
    case 'DateTime':
      return { kind: 'text', text: momentText(text) }
    case 'Date':
      return { kind: 'text', text: text.slice(0, 10) }
    case 'Time':
      return { kind: 'text', text: clockText(text) }
    case 'UUID':
      return { kind: 'text', text: text.toLowerCase() }
    case 'ID':
      if (type === 'uuid') return { kind: 'text', text: text.toLowerCase() }
      return type !== null && /^int\d$/.test(type) ? { kind: 'integer', integer: BigInt(text) } : { kind: 'text', text }
    default:
      return { kind: 'text', text }
  }
}

function decimal(text: string): Comparable {
  const [, minus, whole = '', fraction = '', power = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole + fraction === '') throw new Error(`${text} is no decimal`)
  const scale = fraction.length - Number(power)
  const digits = BigInt(whole + fraction) * (minus === '-' ? -1n : 1n)
  return scale < 0
    ? { kind: 'decimal', digits: digits * 10n ** BigInt(-scale), scale: 0 }
    : { kind: 'decimal', digits, scale }
}

/** A JSON value as JavaScript reads it: numbers are doubles. */
export function plainJson(parsed: Parsed): unknown {
  switch (parsed.kind) {
    case 'text':
      return parsed.value
    case 'number':
      return Number(parsed.text)
    case 'word':
      return parsed.text === 'null' ? null : parsed.text === 'true'
    case 'list':
      return parsed.items.map(plainJson)
    case 'object':
      return Object.fromEntries(parsed.members.map(([key, member]) => [key, plainJson(member)]))
  }
}
