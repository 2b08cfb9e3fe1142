/** The last expression of a use: a statement asks for the same one in every row. */
interface Known {
  /** `null`: nothing was asked yet. An empty text is a pattern, too. */
  pattern: string | null
  expression: RegExp
}

const regex: readonly [Known, Known] = [none(), none()]
const like: readonly [Known, Known] = [none(), none()]

function none(): Known {
  return { pattern: null, expression: /(?:)/u }
}

/** A regular expression in JavaScript's dialect with Unicode. @throws SyntaxError */
export function matchesRegex(pattern: string, value: string, anyCase: boolean): boolean {
  const known = regex[anyCase ? 1 : 0]
  if (known.pattern !== pattern) {
    known.expression = new RegExp(pattern, anyCase ? 'iu' : 'u')
    known.pattern = pattern
  }
  return known.expression.test(value)
}

/** LIKE as PostgreSQL has it: `%` any text, `_` any character, a backslash takes the next one literally. */
export function matchesLike(pattern: string, value: string, anyCase: boolean): boolean {
  const known = like[anyCase ? 1 : 0]
  if (known.pattern !== pattern) {
    known.expression = new RegExp(`^${toSource(pattern)}$`, anyCase ? 'isu' : 'su')
    known.pattern = pattern
  }
  return known.expression.test(value)
}

function toSource(pattern: string): string {
  return pattern.replace(/\\([\s\S])|(%+)|(_)|([\s\S])/gu, (_all, escaped, any, one, other) => {
    if (any !== undefined) return '[\\s\\S]*'
    if (one !== undefined) return '[\\s\\S]'
    return String(escaped ?? other).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  })
}
