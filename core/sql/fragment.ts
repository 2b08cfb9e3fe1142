import type { Parameter } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'

declare const BRAND: unique symbol

/**
 * A piece of SQL. Only this file makes one, so no text of a client can become SQL: identifiers are quoted, values are
 * slots, and what is left are the literal parts of template strings in our own source.
 */
export interface SqlFragment {
  readonly [BRAND]: true
  readonly parts: readonly (string | Slot)[]
}

/** Where the values of one request come from. */
export interface BindInput {
  readonly variables: Readonly<Record<string, unknown>>
  readonly exchange: Pick<Exchange, 'auth' | 'context'> | null
}

/** One parameter: its value is read per request. The same slot used twice is one `$n`. */
export interface Slot {
  /** @throws SvcError BAD_USER_INPUT when the value cannot be what the place wants */
  readonly read: (input: BindInput) => Parameter
}

function make(parts: readonly (string | Slot)[]): SqlFragment {
  return { parts } as unknown as SqlFragment
}

/** Template tag: literal parts stand as written, `${}` takes fragments only. */
export function sql(strings: TemplateStringsArray, ...values: readonly SqlFragment[]): SqlFragment {
  const parts: (string | Slot)[] = []
  for (let i = 0; i < strings.length; i++) {
    push(parts, strings[i] ?? '')
    const value = values[i]
    if (value !== undefined) for (const part of value.parts) push(parts, part)
  }
  return make(parts)
}

function push(parts: (string | Slot)[], part: string | Slot): void {
  const last = parts.length - 1
  const before = parts[last]
  if (typeof part === 'string' && typeof before === 'string') parts[last] = before + part
  else parts.push(part)
}

export const EMPTY: SqlFragment = make([])
export const TRUE: SqlFragment = make(['TRUE'])
export const FALSE: SqlFragment = make(['FALSE'])
export const NULL: SqlFragment = make(['NULL'])

/** A quoted identifier. */
export function identifier(name: string): SqlFragment {
  return make([quote(name)])
}

/** `"schema"."name"`. */
export function qualified(schema: string | undefined, name: string): SqlFragment {
  return make([schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`])
}

function quote(name: string): string {
  if (name.includes('\0')) throw new Error('An identifier cannot contain a NUL')
  return `"${name.replaceAll('"', '""')}"`
}

/** A quoted text literal. For names that the schema or the document gives (type names, keys, constants of ours). */
export function literal(text: string): SqlFragment {
  if (text.includes('\0')) throw new Error('A literal cannot contain a NUL')
  const quoted = `'${text.replaceAll("'", "''")}'`
  return make([text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted])
}

/** An integer literal. */
export function integer(value: number): SqlFragment {
  if (!Number.isSafeInteger(value)) throw new Error(`Not an integer: ${value}`)
  return make([String(value)])
}

/** A parameter. */
export function parameter(slot: Slot): SqlFragment {
  return make([slot])
}

/** A parameter with a cast, `$1::uuid`. Without a type the database infers it from what it is compared with. */
export function typedParameter(slot: Slot, type: string | null): SqlFragment {
  return type === null ? make([slot]) : make([slot, `::${typeName(type)}`])
}

/** `value::type`. */
export function cast(value: SqlFragment, type: string): SqlFragment {
  return sql`${value}::${make([typeName(type)])}`
}

/** The catalog's spelling as SQL: `_text` is `text[]`. */
export function typeName(type: string): string {
  const array = type.startsWith('_')
  const name = array ? type.slice(1) : type
  return `${/^[a-z][a-z0-9_]*$/.test(name) ? name : quote(name)}${array ? '[]' : ''}`
}

/** The fragments with a separator between them. */
export function join(fragments: readonly SqlFragment[], separator: ', ' | ' AND ' | ' OR ' | ' || '): SqlFragment {
  const parts: (string | Slot)[] = []
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) push(parts, separator)
    for (const part of fragment.parts) push(parts, part)
  }
  return make(parts)
}

/** The conditions, each in its own right, or `null` when there are none. */
export function allOf(conditions: readonly SqlFragment[]): SqlFragment | null {
  return conditions.length === 0 ? null : join(conditions, ' AND ')
}

/**
 * SQL written by the schema's author (`row_filter`): its `{name}` placeholders become slots. Placeholders inside
 * quotes are text of the author and stay.
 */
export function authored(text: string, slotOf: (name: string) => Slot): SqlFragment {
  const parts: (string | Slot)[] = []
  const pattern = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\{([A-Za-z_][\w.]*)\}/g
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match[1] === undefined) continue
    push(parts, text.slice(end, match.index))
    parts.push(slotOf(match[1]))
    end = match.index + match[0].length
  }
  push(parts, text.slice(end))
  return make(parts)
}

export interface RenderedSql {
  readonly text: string
  /** In the order of `$1`, `$2`, … */
  readonly slots: readonly Slot[]
}

/** The text with numbered parameters. */
export function render(fragment: SqlFragment): RenderedSql {
  const slots: Slot[] = []
  const numbers = new Map<Slot, number>()
  let text = ''
  for (const part of fragment.parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    let number = numbers.get(part)
    if (number === undefined) {
      slots.push(part)
      number = slots.length
      numbers.set(part, number)
    }
    text += `$${number}`
  }
  return { text, slots }
}
