/**
 * Formats SQL over several lines without loss: {@link unformatSql} returns the same bytes. A line break of the layout
 * replaces one space, follows an opening bracket or precedes a closing bracket. A line break of the statement itself is
 * written as `↵`, the number of spaces that follow it, and a line break of the layout.
 *
 * @throws Error for a statement that contains `↵`
 */
export function formatSql(sql: string): string {
  if (sql.includes('↵')) throw new Error('A statement that contains ↵ cannot be formatted.')
  return print(parse(sql), { indent: 0, column: 0, nested: false })
}

/** Removes the layout of {@link formatSql}. */
export function unformatSql(text: string): string {
  const tokens = split(text, FORMATTED)
  return tokens.map((token, i) => unformatToken(token, tokens[i - 1], tokens[i + 1])).join('')
}

/** Brackets, or `CASE` to `END`, with their content. */
interface Group {
  readonly open: string
  readonly nodes: readonly Node[]
  /** Empty if the group is not closed. */
  readonly close: string
}

type Node = string | Group

interface Position {
  /** Levels of indentation. */
  readonly indent: number
  readonly column: number
  /** Whether the sequence is a part of a sequence that is broken already. */
  readonly nested: boolean
}

const WIDTH = 100
const VERBATIM = [
  String.raw`/\*[\s\S]*?\*/`,
  String.raw`--[^\n↵]*`,
  "'(?:[^']|'')*'",
  '"(?:[^"]|"")*"',
  String.raw`(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1`,
  String.raw`\w[\w$]*`,
  String.raw`\|\|`,
].join('|')
const EMITTED = new RegExp(String.raw`${VERBATIM}|\n *| +|[\s\S]`, 'g')
const FORMATTED = new RegExp(String.raw`${VERBATIM}|↵\d+\n *|\n *| +|[\s\S]`, 'g')

const CLOSE_OF: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['CASE', 'END'],
])

/** Where a sequence breaks that is wider than a line: at the first of these that it contains. */
const BREAKS: readonly ((before: Node, after: Node | undefined, space: Node) => boolean)[] = [
  startsWith('SELECT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET UNION VALUES RETURNING WHEN ELSE'),
  startsWith('JOIN LEFT INNER CROSS LATERAL'),
  (before) => before === ',',
  (_before, _after, space) => isLineBreak(space),
  (before) => before === 'THEN',
  startsWith('OR'),
  startsWith('AND'),
  startsWith('||'),
]
const CLAUSES = BREAKS[0]!

function startsWith(keywords: string): (typeof BREAKS)[number] {
  const words = new Set(keywords.split(' '))
  const isWord = (node: Node | undefined) => typeof node === 'string' && words.has(node)
  return (before, after) => isWord(after) && !isWord(before) && before !== 'DISTINCT'
}

function split(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? []
}

function unformatToken(token: string, before: string | undefined, after: string | undefined): string {
  if (token.startsWith('↵')) return `\n${' '.repeat(Number(/\d+/.exec(token)![0]))}`
  if (!token.startsWith('\n')) return token
  return before === '(' || before === '[' || after === ')' || after === ']' ? '' : ' '
}

function parse(sql: string): readonly Node[] {
  const stack: { open: string; nodes: Node[] }[] = [{ open: '', nodes: [] }]
  const leave = (close: string) => {
    const { open, nodes } = stack.pop()!
    stack.at(-1)!.nodes.push({ open, nodes, close })
  }
  for (const token of split(sql, EMITTED)) {
    const { open, nodes } = stack.at(-1)!
    if (CLOSE_OF.has(token)) stack.push({ open: token, nodes: [] })
    else if (CLOSE_OF.get(open) === token) leave(token)
    else nodes.push(token)
  }
  while (stack.length > 1) leave('')
  return stack[0]!.nodes
}

function flatten(nodes: readonly Node[]): string {
  return nodes.map((n) => (typeof n === 'string' ? n : n.open + flatten(n.nodes) + n.close)).join('')
}

function print(nodes: readonly Node[], at: Position): string {
  const text = flatten(nodes)
  if (!text.includes('\n') && at.column + text.length <= WIDTH) return text
  for (const isBreak of BREAKS) {
    const breaks = nodes.flatMap((space, i) =>
      isBreakable(nodes, i) && isBreak(nodes[i - 1]!, nodes[i + 1], space) ? [i] : [],
    )
    if (breaks.length > 0) return printParts(nodes, breaks, at, isBreak === CLAUSES)
  }
  let printed = ''
  for (const node of nodes) {
    const column = columnAfter(printed, at.column)
    printed += typeof node === 'string' ? printToken(node, at.indent) : printGroup(node, { ...at, column })
  }
  return printed
}

function printParts(nodes: readonly Node[], breaks: readonly number[], at: Position, clauses: boolean): string {
  const startsClause = CLAUSES('', nodes[0], '')
  const indent = at.indent + ((at.nested || startsClause) && !clauses ? 1 : 0)
  const ends = [...breaks, nodes.length]
  return ends
    .map((end, i) => {
      const part = nodes.slice(i === 0 ? 0 : breaks[i - 1]! + 1, end)
      const from = i === 0 ? at : { indent, column: 2 * indent }
      return print(part, { ...from, nested: true }) + (end < nodes.length ? breakAt(nodes[end]!, indent) : '')
    })
    .join('')
}

function breakAt(space: Node, indent: number): string {
  return isLineBreak(space) ? printToken(space as string, indent) : newLine(indent)
}

/** Whether a line may end here: at a line break of the statement, or at one space. */
function isBreakable(nodes: readonly Node[], i: number): boolean {
  return i > 0 && (isLineBreak(nodes[i]) || isRestored(nodes[i], nodes[i + 1]))
}

/** Whether {@link unformatSql} restores the space when a line break replaces it. */
function isRestored(node: Node | undefined, after: Node | undefined): boolean {
  return node === ' ' && after !== undefined && after !== ')' && after !== ']'
}

function isLineBreak(node: Node | undefined): boolean {
  return typeof node === 'string' && node.startsWith('\n')
}

function printGroup(group: Group, at: Position): string {
  const { open, nodes, close } = group
  const text = flatten([group])
  if (!text.includes('\n') && at.column + text.length <= WIDTH) return text
  const [from, to] = open === 'CASE' ? spacesAround(nodes) : [0, nodes.length]
  const content = nodes.slice(from, to)
  const breaksAfter = from > 0 || (open !== 'CASE' && !isSpace(nodes[0]))
  const breaksBefore = to < nodes.length || (open !== 'CASE' && close !== '' && !isLineBreak(nodes.at(-1)))
  const indent = at.indent + 1
  const column = breaksAfter ? 2 * indent : at.column + open.length
  const printed = print(content, { indent, column, nested: false })
  return open + (breaksAfter ? newLine(indent) : '') + printed + (breaksBefore ? newLine(at.indent) : '') + close
}

/** The range of the nodes between the spaces after `CASE` and before `END`. */
function spacesAround(nodes: readonly Node[]): readonly [from: number, to: number] {
  const from = isRestored(nodes[0], nodes[1]) ? 1 : 0
  return [from, nodes.length > from && nodes.at(-1) === ' ' ? nodes.length - 1 : nodes.length]
}

function isSpace(node: Node | undefined): boolean {
  return typeof node === 'string' && node.startsWith(' ')
}

function printToken(token: string, indent: number): string {
  return isLineBreak(token) ? `↵${token.length - 1}${newLine(indent)}` : token
}

function newLine(indent: number): string {
  return `\n${'  '.repeat(indent)}`
}

function columnAfter(printed: string, column: number): number {
  const start = printed.lastIndexOf('\n')
  return start === -1 ? column + printed.length : printed.length - start - 1
}
