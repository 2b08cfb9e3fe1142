import { parse } from 'smol-toml'
import { type KeyPath, printKey } from './key-path.ts'

/**
 * Finds the line of each key and table in a TOML document, for messages. The TOML parser returns only values.
 * @param text a document that the parser has accepted
 * @returns dotted key, as {@link printKey} writes it → line, 1-based
 */
export function locateKeys(text: string): ReadonlyMap<string, number> {
  const scanner: Scanner = { text, at: 0, line: 1, lines: new Map() }
  const arrays = new Map<string, number>()
  let table: KeyPath = []
  for (;;) {
    skipBlank(scanner)
    if (scanner.at >= text.length) return scanner.lines
    if (text[scanner.at] === '[') table = readHeader(scanner, arrays)
    else readPair(scanner, table)
  }
}

interface Scanner {
  readonly text: string
  at: number
  line: number
  readonly lines: Map<string, number>
}

function advance(scanner: Scanner, by: number): void {
  for (let i = 0; i < by; i++) if (scanner.text[scanner.at++] === '\n') scanner.line++
}

function skipBlank(scanner: Scanner): void {
  while (scanner.at < scanner.text.length) {
    const char = scanner.text[scanner.at]
    if (char === '#') while (scanner.at < scanner.text.length && scanner.text[scanner.at] !== '\n') scanner.at++
    else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') advance(scanner, 1)
    else return
  }
}

function note(scanner: Scanner, path: KeyPath): void {
  const key = printKey(path)
  if (!scanner.lines.has(key)) scanner.lines.set(key, scanner.line)
}

/** Reads a header: `[a.b]` or `[[a.b]]`. If `a` is an array of tables, the header refers to its last element. */
function readHeader(scanner: Scanner, arrays: Map<string, number>): KeyPath {
  const brackets = scanner.text.startsWith('[[', scanner.at) ? 2 : 1
  scanner.at += brackets
  const names = readKey(scanner)
  const path: (string | number)[] = []
  names.forEach((name, i) => {
    path.push(name)
    const key = printKey(path)
    const last = i === names.length - 1
    if (last && brackets === 2) arrays.set(key, (arrays.get(key) ?? -1) + 1)
    note(scanner, path)
    const index = arrays.get(key)
    if (index === undefined) return
    path.push(index)
    note(scanner, path)
  })
  skipBlank(scanner)
  scanner.at += brackets
  return path
}

function readPair(scanner: Scanner, table: KeyPath): void {
  const path = [...table]
  for (const name of readKey(scanner)) {
    path.push(name)
    note(scanner, path)
  }
  skipBlank(scanner)
  scanner.at++
  skipBlank(scanner)
  readValue(scanner, path)
}

/** Reads a dotted key up to `=` or `]`. */
function readKey(scanner: Scanner): string[] {
  const names: string[] = []
  for (;;) {
    skipBlank(scanner)
    const char = scanner.text[scanner.at]
    if (char === '"' || char === "'") names.push(parse(`key = ${readString(scanner)}`).key as string)
    else names.push(readBare(scanner))
    skipBlank(scanner)
    if (scanner.text[scanner.at] !== '.') return names
    scanner.at++
  }
}

function readBare(scanner: Scanner): string {
  const match = /[^\s.=\]]*/y
  match.lastIndex = scanner.at
  const name = match.exec(scanner.text)?.[0] ?? ''
  scanner.at += name.length
  return name
}

/** Moves past a string of any of the four kinds and returns its source. */
function readString(scanner: Scanner): string {
  const { text, at: start } = scanner
  const quote = text[start] as string
  const fence = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote
  let at = start + fence.length
  while (at < text.length && !text.startsWith(fence, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1
  at += fence.length
  // At the end of a multi-line string (`""""`), up to two quotes are part of its content.
  if (fence.length === 3) while (text[at] === quote) at++
  advance(scanner, at - start)
  return text.slice(start, at)
}

function readValue(scanner: Scanner, path: KeyPath): void {
  const char = scanner.text[scanner.at]
  if (char === '"' || char === "'") readString(scanner)
  else if (char === '[') readItems(scanner, ']', (index) => readValue(scanner, noted(scanner, [...path, index])))
  else if (char === '{') readItems(scanner, '}', () => readPair(scanner, path))
  else while (scanner.at < scanner.text.length && !/[,\]}#\n]/.test(scanner.text[scanner.at] as string)) scanner.at++
}

function noted(scanner: Scanner, path: KeyPath): KeyPath {
  note(scanner, path)
  return path
}

function readItems(scanner: Scanner, end: string, readItem: (index: number) => void): void {
  scanner.at++
  for (let index = 0; ; index++) {
    skipBlank(scanner)
    if (scanner.at >= scanner.text.length || scanner.text[scanner.at] === end) break
    readItem(index)
    skipBlank(scanner)
    if (scanner.text[scanner.at] === ',') scanner.at++
  }
  scanner.at++
}
