import { mergeImport } from './merge-import.ts'
import type { ClassPieces, Piece, SourceLanguage } from './source-language.ts'

const DECLARATION = /^export (?:default )?(?:abstract )?(class|const|function|enum|interface|type) (\w+)/m
const IMPORT = /^(import|export) [^'"]*from ['"]([^'"]+)['"]/m

/**
 * Splits TypeScript source into its declarations: at blank lines before a line that is not indented. Each import and
 * re-export is a part of its own.
 */
function splitModule(source: string): readonly Piece[] {
  const pieces: Piece[] = []
  let lines: string[] = []
  const end = (): void => {
    while (lines.at(-1)?.trim() === '') lines.pop()
    if (lines.length > 0) pieces.push({ key: keyOf(lines.join('\n')), text: lines.join('\n') })
    lines = []
  }
  for (const line of source.split('\n')) {
    const startsAnew = /^[^\s})]/.test(line) && (lines.at(-1)?.trim() === '' || isWholeImport(lines))
    if (startsAnew) end()
    if (line.trim() !== '' || lines.length > 0) lines.push(line)
  }
  end()
  return pieces
}

function isWholeImport(lines: readonly string[]): boolean {
  return /^(?:import|export) [^;]*from ['"][^'"]+['"]$/.test(lines.join('\n'))
}

function keyOf(text: string): string {
  const [, word, module] = IMPORT.exec(text) ?? []
  if (word !== undefined && text.startsWith(word)) return `${word} ${module}`
  const [, , name] = DECLARATION.exec(text) ?? []
  return name ?? text
}

/**
 * Splits the source text of a class into its head and its members.
 * @returns `null` when the text is no class with a body of several lines
 */
function splitClass(text: string): ClassPieces | null {
  const lines = text.split('\n')
  const open = lines.findIndex((line) => /^export (?:default )?(?:abstract )?class .*\{$/.test(line))
  if (open === -1 || lines.at(-1) !== '}') return null
  const members: Piece[] = []
  let member: string[] = []
  for (const line of lines.slice(open + 1, -1)) {
    member.push(line)
    const name = /(?:^|[\s)])(\w+)!: /.exec(line)?.[1]
    if (name === undefined) continue
    members.push({ key: name, text: member.join('\n') })
    member = []
  }
  if (member.length > 0) members.push({ key: member.join('\n'), text: member.join('\n') })
  return { head: lines.slice(0, open + 1).join('\n'), members }
}

/** Joins the head and the members of a class to its source text. */
function joinClass({ head, members }: ClassPieces): string {
  return [head, ...members.map(({ text }) => text), '}'].join('\n')
}

/**
 * Joins declarations to the source of a module, with a blank line between them. Consecutive imports, and consecutive
 * re-exports, get no blank line.
 */
function joinModule(pieces: readonly Piece[]): string {
  const isLine = ({ key }: Piece): boolean => /^(?:import|export) /.test(key)
  const kind = ({ key }: Piece): string => key.slice(0, key.indexOf(' '))
  const parts = pieces.map((piece, index) => {
    const next = pieces[index + 1]
    if (next === undefined) return piece.text
    const together = isLine(piece) && isLine(next) && kind(piece) === kind(next)
    return `${piece.text}${together ? '\n' : '\n\n'}`
  })
  return `${parts.join('')}\n`
}

/** Source in TypeScript, as `svc introspect` prints and merges it. */
export const TYPESCRIPT_SOURCE: SourceLanguage = { splitModule, joinModule, splitClass, joinClass, mergeImport }
