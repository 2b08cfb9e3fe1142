import type { changes } from '../../../core/doors/front.ts'
import { didYouMean, listNames, writeJson } from '../../../core/doors/plugin.ts'

/** Where the text of a template is used, which decides how inserted values are escaped. */
export type TemplatePlace = 'json' | 'text' | 'chat' | 'url' | 'header' | 'address'

export type Template = (change: changes.ObservedChange) => string

type Value = (change: changes.ObservedChange) => unknown

/** Variables that describe the change itself. */
const SPECIALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['_id', ({ event }) => event.id],
  ['_entity_id', ({ event }) => event.entityId],
  ['_timestamp', ({ event }) => event.time],
  ['_event', ({ event }) => event.kind],
  ['_entity', ({ shape }) => shape.name],
  ['_json', ({ row }) => row],
  ['_old', ({ old }) => old],
  ['_changed', ({ changed }) => [...changed]],
])

export interface TemplateOptions {
  readonly place: TemplatePlace
  readonly shape: changes.EntityShape
  /** Returns the value of an environment variable. Absent: the template must not use environment variables. */
  readonly env?: (name: string) => string | undefined
}

/** `{{field}}` in a body, `{field}` elsewhere. */
const DOUBLE = /\{\{\s*([^{}]*?)\s*\}\}/g
const SINGLE = /\$?\{\s*([^{}]*?)\s*\}/g

/**
 * Compiles a template of an observer's action, with placeholders such as `{name}`, or `{{name}}` in JSON. A field that
 * the row lacks becomes an empty text, or `null` outside of quotes in JSON.
 * @throws Error for an invalid template, such as an unknown field
 */
export function compileTemplate(source: string, { place, shape, env }: TemplateOptions): Template {
  const parts: (string | Template)[] = []
  let end = 0
  let inText = false
  for (const match of source.matchAll(place === 'json' ? DOUBLE : SINGLE)) {
    const before = source.slice(end, match.index)
    if (place === 'json') inText = endsInText(before, inText)
    parts.push(before)
    parts.push(placeholder(match[1] ?? '', place, inText, shape, env))
    end = match.index + match[0].length
  }
  parts.push(source.slice(end))
  const fill: Template = (change) => parts.map((part) => (typeof part === 'string' ? part : part(change))).join('')
  return place === 'header' ? (change) => toHeaderBytes(fill(change)) : fill
}

function placeholder(
  name: string,
  place: TemplatePlace,
  inText: boolean,
  shape: changes.EntityShape,
  env: TemplateOptions['env'],
): Template {
  const [first = '', ...rest] = name.split('.')
  const field = shape.find(first)
  const special = specialOf(first, rest, shape)
  if (field === undefined && special === undefined && env !== undefined && /^[A-Z][A-Z0-9_]*$/.test(name)) {
    const value = env(name)
    if (value === undefined) throw new Error(`the environment has no ${name}`)
    const given = escaped(value, place, inText)
    return () => given
  }
  if (field === undefined && special === undefined) {
    const names = [...shape.fields.map((one) => one.name), ...SPECIALS.keys()]
    throw new Error(
      `${shape.name} has no field "${name}".${didYouMean(first, names) || ` There is: ${listNames(names)}.`}`,
    )
  }
  const value: Value = special ?? (({ row }) => dig(row, [field!.name, ...rest]))
  return (change) => escaped(value(change) ?? null, place, inText)
}

/** Variables with a path, such as `_old.status` and `_json.status`, and those without. */
function specialOf(name: string, rest: readonly string[], shape: changes.EntityShape): Value | undefined {
  const special = SPECIALS.get(name)
  if (special === undefined || rest.length === 0) return special
  const field = name === '_old' || name === '_json' ? shape.find(rest[0]!) : undefined
  return field === undefined ? undefined : (change) => dig(special(change), [field.name, ...rest.slice(1)])
}

/** Reads a path within a value. Only own properties count. */
function dig(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function escaped(value: unknown, place: TemplatePlace, inText: boolean): string {
  if (place === 'json') {
    if (!inText) return writeJson(value)
    return value === null ? '' : JSON.stringify(plain(value)).slice(1, -1)
  }
  if (value === null) return ''
  const text = plain(value)
  switch (place) {
    case 'url':
      return encodeURIComponent(text.toWellFormed?.() ?? text)
    case 'header':
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character could end a header line early
      return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
    case 'address':
      return text
    case 'chat':
      // Escapes the value, so that it cannot mention a channel or form a link.
      return text.replace(/[&<>]/g, (character) => CHAT[character]!)
    case 'text':
      return text
  }
}

const CHAT: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Encodes a header in UTF-8, as receivers read it: HTTP clients take each character of the string as one byte. */
function toHeaderBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value)
}

/** Is the end of this piece of JSON within a string? */
function endsInText(piece: string, before: boolean): boolean {
  let inText = before
  for (let index = 0; index < piece.length; index++) {
    if (piece[index] === '"') inText = !inText
    else if (piece[index] === '\\' && inText) index++
  }
  return inText
}
