import { parseSync } from 'oxc-parser'

/** The TSDoc comment of one declaration. */
export interface TsdocText {
  readonly file: string
  /** Line of the declaration, from 1. */
  readonly line: number
  /** Name of the declaration; a member of an interface is `Interface.member`. */
  readonly name: string
  /** The declaration without its body, on one line. */
  readonly signature: string
  /** The comment without its stars. */
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Lists the TSDoc comments of the exported declarations of a file, and of the members of its exported interfaces. */
export function listTsdocTexts(file: string, source: string): readonly TsdocText[] {
  const { program, comments } = parseSync(file, source)
  const texts: TsdocText[] = []
  const add = (name: string, outer: Node, inner: Node): void => {
    const comment = comments.find(({ end, start }) => {
      return end <= outer.start && source.slice(start).startsWith('/**') && /^\s*$/.test(source.slice(end, outer.start))
    })
    if (comment === undefined) return
    texts.push({
      file,
      line: source.slice(0, outer.start).split('\n').length,
      name,
      signature: signatureOf(inner, source),
      text: plainText(source.slice(comment.start, comment.end)),
    })
  }
  for (const outer of program.body as unknown as readonly Node[]) {
    if (outer.type !== 'ExportNamedDeclaration' && outer.type !== 'ExportDefaultDeclaration') continue
    const inner = outer.declaration as Node | null
    if (inner === null) continue
    const name = outer.type === 'ExportDefaultDeclaration' ? 'default' : nameOf(inner)
    add(name, outer, inner)
    if (inner.type !== 'TSInterfaceDeclaration') continue
    for (const member of (inner.body as { readonly body: readonly Node[] }).body) {
      add(`${name}.${nameOf(member)}`, member, member)
    }
  }
  return texts
}

function nameOf(node: Node): string {
  const named = (node.declarations as readonly Node[] | undefined)?.[0] ?? node
  const id = (named.id ?? named.key) as { readonly name?: string; readonly value?: unknown } | null | undefined
  return id?.name ?? String(id?.value ?? node.type)
}

/** The declaration up to its body. An interface, a class and an object are cut at their brace. */
function signatureOf(node: Node, source: string): string {
  const body = node.body as Node | null | undefined
  const value = (node.declarations as readonly Node[] | undefined)?.[0]?.init as Node | null | undefined
  const arrow = value?.type === 'ArrowFunctionExpression' ? (value.body as Node) : undefined
  const call = node.type === 'CallExpression' ? (node.callee as Node) : undefined
  const end =
    call?.end ?? body?.start ?? arrow?.start ?? (value !== null && value !== undefined ? value.start : node.end)
  const code = source.slice(node.start, end).replace(/\/\*[\s\S]*?\*\//g, '')
  return code
    .replace(/\s+/g, ' ')
    .replace(/ =>? ?$/, '')
    .trim()
    .slice(0, 400)
}

function plainText(comment: string): string {
  const lines = comment.slice(3, -2).split('\n')
  return lines
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim()
}
