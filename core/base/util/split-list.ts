/**
 * Splits the text of a list in the configuration into its items: `a,b,"c,d"`. Commas in quotes do not separate. Inside
 * quotes, `\"` and `\\` are a quote and a backslash. An empty text gives no items.
 * @throws Error whose message describes the syntax error
 */
export function splitList(text: string): readonly string[] {
  if (text.trim() === '') return []
  const items: string[] = []
  let at = 0
  for (;;) {
    if (text[at] === '"') {
      const quoted = readQuoted(text, at)
      items.push(quoted.value)
      at = quoted.end
      if (at < text.length && text[at] !== ',') throw new Error('a comma follows a quoted value')
    } else {
      let end = text.indexOf(',', at)
      if (end === -1) end = text.length
      items.push(text.slice(at, end))
      at = end
    }
    if (at >= text.length) return items
    at += 1
  }
}

/**
 * Reads the quoted value of a list that begins with the quote at index `at`.
 * @returns the value without its quotes and escapes, and the index after the closing quote
 * @throws Error when the closing quote is missing
 */
export function readQuoted(text: string, at: number): { readonly value: string; readonly end: number } {
  let value = ''
  for (let index = at + 1; index < text.length; index++) {
    const character = text[index]!
    if (character === '"') return { value, end: index + 1 }
    if (character === '\\' && (text[index + 1] === '"' || text[index + 1] === '\\')) {
      value += text[index + 1]
      index += 1
    } else value += character
  }
  throw new Error('a quote is not closed')
}
