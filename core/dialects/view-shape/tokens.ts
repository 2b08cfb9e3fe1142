/**
 * A lexical unit of SQL: a word, a quoted name, a string, or a sign. The tokens in a pair of parentheses are one nested
 * list.
 */
export type Token = string | readonly Token[]

const LEXEME = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\p{L}\p{N}_$]+|\s+|[\s\S]/gu

/** Splits SQL into tokens, without comments and spaces. @returns `null`: the parentheses do not match */
export function tokensOf(text: string): readonly Token[] | null {
  const stack: Token[][] = [[]]
  for (const [lexeme] of text.matchAll(LEXEME)) {
    if (lexeme.trim() === '' || lexeme.startsWith('--') || lexeme.startsWith('/*')) continue
    if (lexeme === '(') stack.push([])
    else if (lexeme === ')') {
      const group = stack.pop()!
      const outer = stack.at(-1)
      if (outer === undefined) return null
      outer.push(group)
    } else stack.at(-1)!.push(lexeme)
  }
  return stack.length === 1 ? stack[0]! : null
}

/**
 * Tests whether a token is one of the words, regardless of case. A quoted name never matches. @param words SQL keywords
 * in upper case
 */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return typeof token === 'string' && words.includes(token.toUpperCase())
}

/** Tests whether the token is a name, quoted or not. */
export function isName(token: Token | undefined): token is string {
  return typeof token === 'string' && /^["`[\p{L}_]/u.test(token)
}

/** Returns the name that an identifier in SQL stands for, without its quotes. */
export function nameOf(token: string): string {
  if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"')
  return token.startsWith('`') || token.startsWith('[') ? token.slice(1, -1) : token
}

/** Splits a list of tokens at separators, such as commas. The separators are left out. */
export function splitTokens(
  tokens: readonly Token[],
  isSeparator: (token: Token) => boolean,
): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (isSeparator(token)) parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts
}
