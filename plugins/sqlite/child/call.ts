import { Fault } from './library.ts'
import { type Token, tokensOf } from './tokens.ts'

/** A parsed call of a SQL script, in svc's own syntax: `CALL fn_x(a => ?1, b => CAST(?2 AS INTEGER))`. */
export interface Call {
  readonly name: string
  readonly arguments: readonly { readonly name: string | null; readonly expression: string }[]
}

const CALL = /^\s*CALL\b/i

/**
 * Parses a call of a SQL script. Arguments are SQL expressions, named (`name => …`) or by position.
 * @returns `null` for any other statement
 * @throws Fault for a malformed call
 */
export function parseCall(sql: string): Call | null {
  if (!CALL.test(sql)) return null
  const [, name, open, ...rest] = tokensOf(sql).filter(({ kind }) => kind !== 'comment')
  const close = rest.at(-1)
  if (name === undefined || open?.text !== '(' || close?.text !== ')') throw malformed(sql)
  const parts = splitAtCommas(rest.slice(0, -1))
  return {
    name: unquote(name),
    arguments: parts.map((part) => {
      const [first, equals, arrow] = part
      const isNamed = equals?.text === '=' && arrow?.text === '>'
      const value = isNamed ? part.slice(3) : part
      const [from] = value
      const to = value.at(-1)
      if (first === undefined || from === undefined || to === undefined) throw malformed(sql)
      return { name: isNamed ? unquote(first) : null, expression: sql.slice(from.start, to.start + to.text.length) }
    }),
  }
}

function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  if (tokens.length === 0) return []
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (depth === 0 && token.kind === 'other' && token.text === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function unquote({ kind, text }: Token): string {
  return kind === 'quoted' ? text.slice(1, -1).replaceAll(text[0]!.repeat(2), text[0]!) : text
}

function malformed(sql: string): Fault {
  return new Fault({
    kind: 'script',
    result: 1,
    message: `${sql.trim()} is not a call: write CALL name(parameter => value)`,
  })
}
