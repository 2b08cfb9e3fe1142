import { badRequest, overLimit } from './refusals.ts'

/** An entry of the query parameter `select`: `title`, `writer:author(id,name)` or `posts.count`. */
export interface SelectNode {
  readonly name: string
  readonly alias: string | null
  /** Entries in the parentheses; `null`: the entry has none. */
  readonly nested: readonly SelectNode[] | null
  /** `true` if the entry asks for the number of related rows (`posts.count`). */
  readonly count: boolean
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const MOST_FIELDS = 1000

/**
 * Parses the query parameter `select`.
 * @param deepest maximum nesting depth of parentheses
 * @throws SvcError BAD_REQUEST, VALIDATION_ERROR
 */
export function parseSelect(text: string, deepest: number): readonly SelectNode[] {
  let at = 0
  let count = 0

  function fail(what: string): Error {
    return badRequest(`select: ${what} at character ${at + 1} of "${text.slice(0, 200)}".`)
  }

  function skip(): void {
    while (text[at] === ' ') at += 1
  }

  function readName(): string {
    skip()
    NAME.lastIndex = at
    const found = NAME.exec(text)
    if (found === null) throw fail('there has to be a name')
    at = NAME.lastIndex
    skip()
    return found[0]
  }

  function readList(depth: number): readonly SelectNode[] {
    if (depth > deepest) {
      throw overLimit(`select: ${depth} levels of parentheses; at most ${deepest} may be (rest.max_embedding_depth).`)
    }
    const nodes: SelectNode[] = []
    for (;;) {
      if (++count > MOST_FIELDS) throw overLimit(`select: at most ${MOST_FIELDS} fields may be selected.`)
      nodes.push(readNode(depth))
      if (text[at] !== ',') return nodes
      at += 1
    }
  }

  function readNode(depth: number): SelectNode {
    let name = readName()
    let alias: string | null = null
    if (text[at] === ':') {
      at += 1
      alias = name
      name = readName()
    }
    if (text[at] === '.') {
      at += 1
      if (readName() !== 'count') throw fail('only "count" stands behind a dot')
      return { name, alias, nested: null, count: true }
    }
    if (text[at] !== '(') return { name, alias, nested: null, count: false }
    at += 1
    const nested = readList(depth + 1)
    if (text[at] !== ')') throw fail(at >= text.length ? 'a parenthesis is not closed' : 'there has to be "," or ")"')
    at += 1
    skip()
    return { name, alias, nested, count: false }
  }

  const nodes = readList(0)
  if (at < text.length) throw fail('there has to be ","')
  return nodes
}
