import { numberOf } from './exact-number.ts'

/** A syntax error in a JSON text, with its line and column (from 1). */
export class JsonSyntaxError extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, line: number, column: number) {
    super(message)
    this.line = line
    this.column = column
  }
}

export interface PlacedJson {
  readonly value: unknown
  /**
   * Returns where an object or array inside `value` starts in the text, with line and column from 1; `undefined` for
   * any other value.
   */
  readonly placeOf: (value: object) => { readonly line: number; readonly column: number } | undefined
}

/**
 * Parses JSON, and records where each object and array starts, so that messages about the content can name a line.
 * @throws JsonSyntaxError: the text is not JSON, or an object has a key twice
 */
export function parsePlacedJson(source: string): PlacedJson {
  const text = source.replace(/^\uFEFF/, '')
  const reader = new Reader(text)
  const value = reader.readDocument()
  const lines = lineStarts(text)
  return {
    value,
    placeOf: (object) => {
      const offset = reader.offsets.get(object)
      return offset === undefined ? undefined : placeAt(lines, offset)
    },
  }
}

class Reader {
  readonly offsets = new Map<object, number>()
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readDocument(): unknown {
    const value = this.#readValue()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('expected the end of the text')
    return value
  }

  #readValue(): unknown {
    this.#skipSpace()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#readObject()
      case '[':
        return this.#readArray()
      case '"':
        return this.#readString()
      default:
        return this.#readLiteral()
    }
  }

  #readObject(): object {
    const object: Record<string, unknown> = {}
    this.offsets.set(object, this.#at)
    this.#at += 1
    if (this.#take('}')) return object
    do {
      this.#skipSpace()
      if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes')
      const start = this.#at
      const key = this.#readString()
      if (Object.hasOwn(object, key)) this.#fail(`the key "${key}" stands twice in this object`, start)
      if (!this.#take(':')) this.#fail(`expected ":" behind the key "${key}"`)
      Object.defineProperty(object, key, {
        value: this.#readValue(),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    } while (this.#take(','))
    if (!this.#take('}')) this.#fail('expected "," or "}"')
    return object
  }

  #readArray(): unknown[] {
    const array: unknown[] = []
    this.offsets.set(array, this.#at)
    this.#at += 1
    if (this.#take(']')) return array
    do array.push(this.#readValue())
    while (this.#take(','))
    if (!this.#take(']')) this.#fail('expected "," or "]"')
    return array
  }

  #readString(): string {
    const match = /"(?:[^"\\]|\\.)*"/sy
    match.lastIndex = this.#at
    const found = match.exec(this.#text)?.[0]
    if (found === undefined) this.#fail('this text has no closing quote')
    return this.#parse(found, 'this text holds a character that must be escaped') as string
  }

  #readLiteral(): unknown {
    const match = /[^\s,:[\]{}"]+/y
    match.lastIndex = this.#at
    const found = match.exec(this.#text)?.[0]
    if (found === undefined) this.#fail(this.#at >= this.#text.length ? 'the text ends too early' : 'expected a value')
    const value = this.#parse(found, `"${found}" is not a JSON value`)
    return typeof value === 'number' ? numberOf(found) : value
  }

  #parse(source: string, message: string): unknown {
    try {
      const value: unknown = JSON.parse(source)
      this.#at += source.length
      return value
    } catch {
      return this.#fail(message)
    }
  }

  #take(char: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== char) return false
    this.#at += 1
    return true
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #fail(message: string, offset = this.#at): never {
    const { line, column } = placeAt(lineStarts(this.#text), Math.min(offset, this.#text.length))
    throw new JsonSyntaxError(message, line, column)
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return starts
}

function placeAt(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
