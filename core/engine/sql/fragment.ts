import type { Slot } from '../../contract/slot.ts'

declare const BRAND: unique symbol

/**
 * A piece of SQL with parameters. Only this file creates fragments, so that a client's text cannot become SQL:
 * identifiers are quoted, values are parameters, and all other text comes from svc's source code.
 */
export interface SqlFragment {
  readonly [BRAND]: true
  readonly parts: readonly (string | Slot)[]
}

function make(parts: readonly (string | Slot)[]): SqlFragment {
  return { parts } as unknown as SqlFragment
}

/** Template tag that creates a fragment from literal SQL. `${}` accepts only fragments. */
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

/** Returns a name as a quoted SQL identifier: `"name"`. */
export function identifier(name: string): SqlFragment {
  return make([quote(name)])
}

/** Returns `"schema"."name"` as SQL; `"name"` without a schema. */
export function qualified(schema: string | undefined, name: string): SqlFragment {
  return make([schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`])
}

function quote(name: string): string {
  if (name.includes('\0')) throw new Error('An identifier cannot contain a NUL')
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Returns a text as a quoted SQL literal. Use it for names from the schema or the document, and for constants, never
 * for a client's values.
 */
export function literal(text: string): SqlFragment {
  return make([quoteText(text)])
}

/**
 * Returns a text as a SQL literal, in PostgreSQL's form `E'…'` if it contains backslashes. Its meaning does not depend
 * on `standard_conforming_strings`.
 */
export function escapedLiteral(text: string): SqlFragment {
  const quoted = quoteText(text)
  return make([text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted])
}

function quoteText(text: string): string {
  if (text.includes('\0')) throw new Error('A literal cannot contain a NUL')
  return `'${text.replaceAll("'", "''")}'`
}

/** Returns a name as SQL, without quotes if its spelling allows it (`int4`, `my_type`). */
export function word(name: string): SqlFragment {
  return make([/^[a-z][a-z0-9_]*$/.test(name) ? name : quote(name)])
}

/** Returns an integer as SQL. @throws Error if the number is not a safe integer */
export function integer(value: number): SqlFragment {
  if (!Number.isSafeInteger(value)) throw new Error(`Not an integer: ${value}`)
  return make([String(value)])
}

/** Returns the placeholder of a statement parameter. @param slot reads the value of the parameter for each request */
export function parameter(slot: Slot): SqlFragment {
  return make([slot])
}

/** Joins fragments with a separator between them. */
export function join(fragments: readonly SqlFragment[], separator: ', ' | ' AND ' | ' OR ' | ' || '): SqlFragment {
  const parts: (string | Slot)[] = []
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) push(parts, separator)
    for (const part of fragment.parts) push(parts, part)
  }
  return make(parts)
}

/** Joins SQL conditions with AND, without parentheses; `null`: the list is empty. */
export function allOf(conditions: readonly SqlFragment[]): SqlFragment | null {
  return conditions.length === 0 ? null : join(conditions, ' AND ')
}

/**
 * Returns SQL that the author wrote in the schema, with parameters in place of its placeholders. Use it only for
 * `authored` conditions of a plan.
 */
export function authored(given: readonly (string | Slot)[]): SqlFragment {
  const parts: (string | Slot)[] = []
  for (const part of given) push(parts, part)
  return make(parts)
}

export interface RenderedSql {
  readonly text: string
  /** One entry for each parameter of the statement, in the order of their numbers. It reads the value for a request. */
  readonly slots: readonly Slot[]
}

/**
 * Converts a fragment to the text of a statement with numbered placeholders. @param placeholder returns the placeholder
 * of parameter *n* (1-based)
 */
export function render(fragment: SqlFragment, placeholder: (number: number) => string): RenderedSql {
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
    text += placeholder(number)
  }
  return { text, slots }
}

/** Bytes of a plan, its completion, and its name on each connection. All figures were measured as memory after a full collection. */
const BYTES_PER_PLAN = 3000
/** Bytes per character of a statement: its text, and the fragments that slots and writers still refer to. */
const BYTES_PER_CHARACTER = 6
/** Bytes of a slot: the functions that read, check and convert its value. */
const BYTES_PER_SLOT = 2000

/** Estimates the memory in bytes of a statement, its plan in svc and its prepared form. */
export function weighStatement({ text, slots }: RenderedSql): number {
  return BYTES_PER_PLAN + text.length * BYTES_PER_CHARACTER + slots.length * BYTES_PER_SLOT
}
