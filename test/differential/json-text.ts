import { type Json, Token } from './request.ts'

/** JSON text of a value, a {@link Token} as it is written. */
export function jsonText(value: Json): string {
  if (value instanceof Token) return value.text
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** A JSON text as it is read: numbers by their text, members in their order. */
export type Parsed =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Parsed[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Parsed])[] }

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/sy

/** @throws SyntaxError */
export function parseExactly(text: string): Parsed {
  let at = 0
  const token = (): RegExpExecArray => {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw new SyntaxError(`No JSON at ${at}: ${text.slice(at, at + 40)}`)
    at = TOKEN.lastIndex
    return match
  }
  const peek = (): string => {
    while (/\s/.test(text[at] ?? '')) at++
    return text[at] ?? ''
  }
  function value(): Parsed {
    const [, mark, string, number, word] = token()
    if (string !== undefined) return { kind: 'text', value: JSON.parse(string) }
    if (number !== undefined) return { kind: 'number', text: number }
    if (word !== undefined) return { kind: 'word', text: word }
    if (mark === '[') return { kind: 'list', items: until(']', value) }
    if (mark !== '{') throw new SyntaxError(`No value at ${at}: ${text.slice(at - 1, at + 40)}`)
    const member = (): [string, Parsed] => {
      const key = token()[2]
      if (key === undefined || token()[1] !== ':') throw new SyntaxError(`No member at ${at}`)
      return [JSON.parse(key), value()]
    }
    return { kind: 'object', members: until('}', member) }
  }
  function until<T>(end: string, one: () => T): T[] {
    const found: T[] = []
    while (peek() !== end) {
      found.push(one())
      if (peek() === ',') token()
    }
    token()
    return found
  }
  const whole = value()
  if (peek() !== '') throw new SyntaxError(`More JSON at ${at}`)
  return whole
}

/** The text of what was read, without blanks. */
export function writeParsed(parsed: Parsed): string {
  switch (parsed.kind) {
    case 'text':
      return JSON.stringify(parsed.value)
    case 'number':
    case 'word':
      return parsed.text
    case 'list':
      return `[${parsed.items.map(writeParsed).join(',')}]`
    case 'object':
      return `{${parsed.members.map(([key, member]) => `${JSON.stringify(key)}:${writeParsed(member)}`).join(',')}}`
  }
}

export function memberOf(parsed: Parsed | null, key: string): Parsed | null {
  return parsed?.kind === 'object' ? (parsed.members.findLast(([name]) => name === key)?.[1] ?? null) : null
}
