import { toDecimal } from './decimal.ts'
import { ExpressionFault } from './expression-fault.ts'
import { toInstant } from './instant.ts'
import type { Arithmetic, Comparison, ExpressionNode } from './syntax.ts'
import { readTokens, type Token } from './tokens.ts'

export type { ExpressionNode } from './syntax.ts'

const MOST_BYTES = 1000
const MOST_DEPTH = 32

/**
 * Parses an expression such as `age(birth_date) >= 18 and country != 'XX'` (docs/guides/validate-input.md#conditions)
 * to a syntax tree. Names are not checked.
 * @throws ExpressionFault with the column: a syntax error, or more than 1000 bytes or 32 levels
 */
export function parseExpression(source: string): ExpressionNode {
  if (Buffer.byteLength(source) > MOST_BYTES) {
    throw new ExpressionFault(`the expression is longer than ${MOST_BYTES} bytes`, 1)
  }
  const parser = new Parser(readTokens(source))
  const node = parser.or()
  parser.expectEnd()
  return node
}

const OR = new Set(['||', 'or'])
const AND = new Set(['&&', 'and'])
const NOT = new Set(['!', 'not'])
const COMPARISONS = new Set<string>(['==', '!=', '<', '<=', '>', '>=', 'in'])
const SUMS = new Set<string>(['+', '-'])
const PRODUCTS = new Set<string>(['*', '/', '%'])
const CONSTANTS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
/** Keywords, which cannot be names. */
const RESERVED = new Set(['or', 'and', 'not', 'in'])

class Parser {
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  expectEnd(): void {
    const token = this.#token
    if (token.kind !== 'end') throw new ExpressionFault(`unexpected ${show(token)} after the expression`, token.at)
  }

  or(): ExpressionNode {
    const { at } = this.#token
    if (++this.#depth > MOST_DEPTH) throw new ExpressionFault(`nested deeper than ${MOST_DEPTH} levels`, at)
    let left = this.#and()
    while (this.#takes(OR)) left = { kind: 'or', at, left, right: this.#and() }
    this.#depth--
    return left
  }

  #and(): ExpressionNode {
    const { at } = this.#token
    let left = this.#not()
    while (this.#takes(AND)) left = { kind: 'and', at, left, right: this.#not() }
    return left
  }

  #not(): ExpressionNode {
    const { at } = this.#token
    // An even number of `not` has no effect: a loop avoids recursion for long sequences.
    let negated = false
    while (this.#takes(NOT)) negated = !negated
    const of = this.#compare()
    return negated ? { kind: 'not', at, of } : of
  }

  #compare(): ExpressionNode {
    const left = this.#sum()
    const token = this.#token
    if (!isWord(token) || !COMPARISONS.has(token.text)) return left
    this.#index++
    const right = this.#sum()
    const next = this.#token
    if (isWord(next) && COMPARISONS.has(next.text)) {
      throw new ExpressionFault(`unexpected "${next.text}": two comparisons want "and" between them`, next.at)
    }
    return { kind: 'compare', at: token.at, operator: token.text as Comparison, left, right }
  }

  #sum(): ExpressionNode {
    return this.#leftToRight(SUMS, () => this.#product())
  }

  #product(): ExpressionNode {
    return this.#leftToRight(PRODUCTS, () => this.#negative())
  }

  #leftToRight(operators: ReadonlySet<string>, operand: () => ExpressionNode): ExpressionNode {
    let left = operand()
    for (;;) {
      const token = this.#token
      if (!this.#takes(operators)) return left
      left = { kind: 'arithmetic', at: token.at, operator: token.text as Arithmetic, left, right: operand() }
    }
  }

  #negative(): ExpressionNode {
    const { at } = this.#token
    let negated = false
    while (this.#takes(MINUS)) negated = !negated
    const of = this.#atom()
    return negated ? { kind: 'negative', at, of } : of
  }

  #atom(): ExpressionNode {
    const { kind, text, at } = this.#token
    this.#index++
    switch (kind) {
      case 'number':
        return { kind: 'constant', at, value: toDecimal(text)! }
      case 'text':
        return { kind: 'constant', at, value: text }
      case 'pattern':
        return { kind: 'pattern', at, source: text }
      case 'name':
        if (!RESERVED.has(text)) return this.#named(text, at)
        break
      case 'symbol':
        if (text === '(') {
          const node = this.or()
          this.#expect(')')
          return node
        }
        if (text === '[') return { kind: 'list', at, items: this.#items(']') }
    }
    throw new ExpressionFault(`expected a value, got ${show({ kind, text, at })}`, at)
  }

  #named(first: string, at: number): ExpressionNode {
    const names = [first]
    while (this.#takes(DOT)) {
      const token = this.#token
      // A key that is no identifier must be quoted: user."https://example.com/roles".
      if (token.kind !== 'name' && (token.kind !== 'text' || token.text === ''))
        throw new ExpressionFault(`expected a name after ".", got ${show(token)}`, token.at)
      this.#index++
      names.push(token.text)
    }
    if (!this.#takes(OPEN)) {
      const constant = names.length === 1 ? CONSTANTS.get(first) : undefined
      return constant === undefined ? { kind: 'path', at, names } : { kind: 'constant', at, value: constant }
    }
    const name = names.pop()!
    if (name === 'date' && names.length === 0) return this.#date(at)
    return { kind: 'call', at, name, receiver: names.length === 0 ? null : names, args: this.#items(')') }
  }

  #date(at: number): ExpressionNode {
    const { kind, text } = this.#token
    const instant = kind === 'date' || kind === 'text' ? toInstant(text) : null
    if (instant === null) throw new ExpressionFault('date() wants a day of the calendar: date(2024-01-31)', at)
    this.#index++
    this.#expect(')')
    return { kind: 'constant', at, value: new Date(instant.ms) }
  }

  #items(close: string): readonly ExpressionNode[] {
    const items: ExpressionNode[] = []
    if (isWord(this.#token) && this.#token.text === close) {
      this.#index++
      return items
    }
    do items.push(this.or())
    while (this.#takes(COMMA))
    this.#expect(close)
    return items
  }

  #expect(symbol: string): void {
    const token = this.#token
    if (token.kind !== 'symbol' || token.text !== symbol) {
      throw new ExpressionFault(`expected "${symbol}", got ${show(token)}`, token.at)
    }
    this.#index++
  }

  #takes(words: ReadonlySet<string>): boolean {
    if (!isWord(this.#token) || !words.has(this.#token.text)) return false
    this.#index++
    return true
  }

  get #token(): Token {
    return this.#tokens[this.#index]!
  }
}

const MINUS = new Set(['-'])
const DOT = new Set(['.'])
const OPEN = new Set(['('])
const COMMA = new Set([','])

function isWord({ kind }: Token): boolean {
  return kind === 'symbol' || kind === 'name'
}

function show({ kind, text }: Token): string {
  return kind === 'end' ? 'the end' : JSON.stringify(text)
}
