import { printPythonImport } from '../../introspect/print/python/python-code.ts'
import type { ClassPieces, Piece, SourceLanguage } from './source-language.ts'

/** Blank lines between declarations, as formatters of Python set them. */
const GAP = 2
const FROM = /^from (\S+) import (?:\(([^)]*)\)|([^(\n]+))$/

/** Splits a module: at blank lines before a line that is not indented. Each import is a piece of its own. */
function splitModule(source: string): readonly Piece[] {
  const pieces: Piece[] = []
  let lines: string[] = []
  let gap = 0
  const end = (): void => {
    let blank = 0
    while (lines.at(-1)?.trim() === '') {
      lines.pop()
      blank++
    }
    if (lines.length > 0) pieces.push({ key: keyOf(lines.join('\n')), text: lines.join('\n'), gap })
    gap = blank
    lines = []
  }
  for (const { line, isText } of codeLines(source.split('\n'))) {
    const startsAnew = !isText && /^[^\s)\]}]/.test(line) && (lines.at(-1)?.trim() === '' || isWholeImport(lines))
    if (startsAnew) end()
    if (line.trim() !== '' || lines.length > 0) lines.push(line)
  }
  end()
  return pieces
}

function isWholeImport(lines: readonly string[]): boolean {
  const text = lines.join('\n')
  return FROM.test(text) || /^import [^\n\\]+$/.test(text)
}

function keyOf(text: string): string {
  const from = FROM.exec(text)
  if (from !== null) return `import ${from[1]}`
  if (/^(?:import|from) /.test(text)) return text.replace(/^from/, 'import')
  if (/^if (?:typing\.)?TYPE_CHECKING:/.test(text)) return 'import for type checkers'
  const name = /^(?:class|(?:async )?def) (\w+)/m.exec(text)?.[1] ?? /^(\w+)(?:: [^=\n]+)? = /m.exec(text)?.[1]
  if (name !== undefined) return name
  const call = /^svc\.(\w+)\(\s*("[^"\n]*")?/m.exec(text)
  return call === null ? text : `svc.${call[1]}(${call[2] ?? ''})`
}

/** Joins pieces with the blank lines that they had. */
function joinModule(pieces: readonly Piece[]): string {
  const parts = pieces.map(({ text, gap = GAP }, index) => (index === 0 ? text : `${'\n'.repeat(gap + 1)}${text}`))
  return `${parts.join('')}\n`
}

/** First line of a member. */
const MEMBER = /^ {4}(?:(?:async )?def )?(\w+)(?:: | = |\()/

function splitClass(text: string): ClassPieces | null {
  const lines = codeLines(text.split('\n'))
  const open = lines.findIndex(({ line, isText }) => !isText && /^class \w+[^#]*:$/.test(line))
  if (open === -1) return null
  const starts: { readonly index: number; readonly key: string }[] = []
  for (let index = open + 1; index < lines.length; index++) {
    const { line, isText } = lines[index]!
    const key = isText ? undefined : MEMBER.exec(line)?.[1]
    if (key !== undefined) starts.push({ index: firstOf(lines, index, open), key })
  }
  if (starts.length === 0) return null
  const slice = (from: number, to?: number): string =>
    lines
      .slice(from, to)
      .map(({ line }) => line)
      .join('\n')
  const members = starts.map(({ index, key }, i) => ({ key, text: slice(index, starts[i + 1]?.index) }))
  return { head: slice(0, starts[0]!.index), members }
}

/** Returns the first line of a member: that of the comments, decorators and blank lines before it. */
function firstOf(lines: readonly Line[], index: number, open: number): number {
  let first = index
  while (first - 1 > open && !lines[first - 1]!.isText && /^(?: {4}[#@].*| *)$/.test(lines[first - 1]!.line)) first--
  return first
}

function joinClass({ head, members }: ClassPieces): string {
  return [head, ...members.map(({ text }) => text)].join('\n')
}

interface Line {
  readonly line: string
  /** The line begins inside a text in triple quotes. */
  readonly isText: boolean
}

const TRIPLE = ['"""', "'''"]

function codeLines(lines: readonly string[]): readonly Line[] {
  let quote: string | null = null
  return lines.map((line) => {
    const isText = quote !== null
    let rest = line
    while (rest !== '') {
      const token: string | undefined =
        quote === null
          ? /"""|'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#.*/.exec(rest)?.[0]
          : /\\.|"""|'''/.exec(rest)?.[0]
      if (token === undefined) break
      if (quote === token) quote = null
      else if (quote === null && TRIPLE.includes(token)) quote = token
      rest = rest.slice(rest.indexOf(token) + token.length)
    }
    return { line, isText }
  })
}

function mergeImport(ours: string, theirs: string, rest: string): string {
  const [own, wanted] = [namesOf(ours), namesOf(theirs)]
  if (own === null || wanted === null) return ours
  const missing = wanted.filter((name) => !own.includes(name) && new RegExp(`\\b${name}\\b`).test(rest))
  if (missing.length === 0) return ours
  return printPythonImport(FROM.exec(ours)![1]!, [...own, ...missing].toSorted())
}

/** Returns the imported names; `null`: the text is no import of names. */
function namesOf(text: string): readonly string[] | null {
  const match = FROM.exec(text)
  const list = match?.[2] ?? match?.[3]
  if (list === undefined || list.includes('#')) return null
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Source in Python, as `svc introspect` prints and merges it. */
export const PYTHON_SOURCE: SourceLanguage = { splitModule, joinModule, splitClass, joinClass, mergeImport }
